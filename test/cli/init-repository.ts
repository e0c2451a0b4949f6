/** Fresh repositories for the tests of init and config, and both commands run on them with their output caught. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Folder {
  path: string;
  write(files: Record<string, string>): void;
  remove(): void;
}

export function folder(): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "ralphd-init-")));
  return {
    path,
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export function repository(): Folder {
  const made = folder();
  execFileSync("git", ["init", "-q", made.path], { stdio: "ignore" });
  return made;
}

export interface Said {
  code: number;
  out: string[];
  err: string[];
}

export async function caught(command: (io: { out(line: string): void; err(line: string): void }) => Promise<number>): Promise<Said> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await command({ out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out, err };
}
