/** The machine stays awake for a run and no longer; where that is impossible nothing happens. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { awakeCommand, keepAwake } from "../../src/run/keep-awake.js";
import { until } from "../acceptance/harness.js";
import { isAlive } from "../cli/alive.js";

describe("awakeCommand", () => {
  const everything = (): boolean => true;
  const nothing = (): boolean => false;
  it.each<[string, NodeJS.Platform, (path: string) => boolean, NodeJS.ProcessEnv, string | null]>([
    ["macOS", "darwin", nothing, {}, "caffeinate -i -w 7"],
    ["Linux with systemd and a bus", "linux", everything, {}, "systemd-inhibit --what=idle:sleep"],
    [
      "a bus named by the environment",
      "linux",
      (path) => path === "/run/systemd/system",
      { DBUS_SYSTEM_BUS_ADDRESS: "unix:path=/x" },
      "systemd-inhibit --what=idle:sleep",
    ],
    ["a container without a bus", "linux", nothing, {}, null],
    ["a bus without systemd", "linux", (path) => path.includes("dbus"), {}, null],
    ["another system", "freebsd", everything, {}, null],
  ])("%s", (_, platform, exists, env, expected) => {
    const command = awakeCommand({ platform, env, pid: 7, exists });
    expect(command === null ? null : command.join(" ").slice(0, expected?.length)).toBe(expected);
  });
});

describe("keepAwake", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ralphd-awake-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Stands for systemd-inhibit: runs what follows its options, as that one does. */
  function inhibitor(): string {
    const path = join(folder, "inhibit");
    writeFileSync(path, `#!/bin/sh\necho $$ > ${folder}/pid.new; mv ${folder}/pid.new ${folder}/pid\nexec cat\n`);
    chmodSync(path, 0o755);
    return path;
  }

  const pid = async (): Promise<number> => {
    await until(() => existsSync(join(folder, "pid")));
    return Number(readFileSync(join(folder, "pid"), "utf8"));
  };

  it("keeps until it is released", async () => {
    const release = keepAwake([inhibitor()], process.env);
    const keeper = await pid();
    expect(isAlive(keeper)).toBe(true);
    release();
    await until(() => !isAlive(keeper));
  });

  it("ends with a driver that was killed", async () => {
    const program = `import { keepAwake } from ${JSON.stringify(new URL("../../dist/run/keep-awake.js", import.meta.url).href)}; keepAwake([${JSON.stringify(inhibitor())}], process.env); setInterval(() => {}, 1000);`;
    const driver = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
    const keeper = await pid();
    driver.kill("SIGKILL");
    await until(() => !isAlive(keeper));
  });

  it("survives a system without the program, and one that refuses", async () => {
    const refused = keepAwake(["/bin/false"], process.env);
    const absent = keepAwake([join(folder, "absent")], process.env);
    await new Promise((resolve) => setImmediate(resolve));
    refused();
    absent();
    keepAwake(null, process.env)();
  });
});
