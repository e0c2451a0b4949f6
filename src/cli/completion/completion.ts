/** `ralphd completion`: prints a script that teaches a shell the commands and flags of this version. */
import type { Command } from "commander";
import { bashScript } from "./bash.js";
import { fishScript } from "./fish.js";
import { type Shell, shapeOf } from "./shape.js";
import { zshScript } from "./zsh.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function completionScript(shell: Shell, program: Command): string {
  return SCRIPTS[shell](shapeOf(program)).trimEnd();
}
