/** Which command lines `keep` means, and which only look alike. */
import { expect, it } from "vitest";
import { isKept } from "../../src/core/kept-process.js";

it.each([
  [["/usr/bin/docker", "compose", "up"], true],
  [["docker", "compose"], true],
  [["npm run dev"], true],
  [["node", "/srv/dev-server.js", "--port", "1"], true],
  [["docker", "composer"], false],
  [["docker", "ps"], false],
  [["docker"], false],
  [["sh", "-c", "docker compose up; sleep 600"], false],
  [["grep", "-r", "docker", "compose"], false],
  [["npm", "run", "devel"], false],
  [[], false],
  [[""], false],
])("%j: %s", (argv, kept) => expect(isKept(argv, ["docker compose", "npm run dev", "dev-server.js", " "])).toBe(kept));
