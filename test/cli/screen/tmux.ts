/** A real terminal of a chosen size: tmux draws it, tests read what a person would see. */
import { execFileSync, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../acceptance/harness.js";

export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

export interface Place {
  root: string;
  home: string;
}

export interface Screen {
  /** The rows that are seen now, without blanks at their ends. */
  rows(): string[];
  /** The seen rows with their colours. */
  painted(): string;
  /** With everything that has scrolled away. */
  all(): string;
  cursorIsVisible(): boolean;
  /** Resolves once programs in it are told; tmux tells them later than it changes the picture. */
  resize(columns: number): Promise<void>;
  keys(...keys: string[]): void;
  /** Waits until the seen rows match. */
  see(pattern: RegExp): Promise<string[]>;
  /** Waits for the program's end; its exit code. */
  exit(): Promise<number>;
  close(): void;
}

export interface ScreenOptions {
  columns: number;
  rows?: number;
  env?: Record<string, string>;
}

/** Stays behind the program's last output, so that the screen can still be read. */
const ENDED = /^EXIT (\d+)$/m;

export function terminal({ root, home }: Place, argv: string[], { columns, rows = 24, env = {} }: ScreenOptions): Screen {
  const socket = join(home, `tmux-${Math.random().toString(36).slice(2)}`);
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-u", "-S", socket, ...args], { encoding: "utf8", cwd: root, env: environment(home, env) }).trimEnd();
  // The shell outlives what a person's keys send to the program.
  const command = `trap : INT; ${argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")}; echo EXIT $?; exec sleep 600`;
  tmux("-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(rows), command, ";", "set", "-g", "status", "off");
  const seen = (): string[] => tmux("capture-pane", "-p").split("\n");
  return {
    rows: seen,
    all: () => tmux("capture-pane", "-p", "-J", "-S", "-2000"),
    painted: () => tmux("capture-pane", "-p", "-e"),
    cursorIsVisible: () => tmux("display-message", "-p", "#{cursor_flag}") === "1",
    resize: async (to) => {
      tmux("resize-window", "-x", String(to), "-y", String(rows));
      const tty = tmux("display-message", "-p", "#{pane_tty}");
      await until(() => execFileSync("stty", ["-F", tty, "size"], { encoding: "utf8" }).trim() === `${rows} ${to}`);
    },
    keys: (...keys) => void tmux("send-keys", ...keys),
    see: async (pattern) => {
      let last: string[] = [];
      await until(() => pattern.test((last = seen()).join("\n")));
      return last;
    },
    exit: async () => {
      await until(() => ENDED.test(tmux("capture-pane", "-p", "-S", "-2000")));
      return Number(ENDED.exec(tmux("capture-pane", "-p", "-S", "-2000"))?.[1]);
    },
    close: () => {
      spawnSync("tmux", ["-S", socket, "kill-server"]);
      rmSync(socket, { force: true });
    },
  };
}

/** Of whoever runs these tests, only what programs need to be found; no colours of CI, no run around. */
function environment(home: string, extra: Record<string, string>): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: home,
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    XDG_CONFIG_HOME: join(home, "config"),
    ...extra,
  };
}
