/** Which actions only look or wait. Repeating those is no sign of being stuck. */
import { commandOf } from "./action.js";
import { readCommand } from "./command.js";
import { textAt } from "../text-at.js";

/** First words of tool names that look or wait: `Read`, `read_file`, `BashOutput`, `web_fetch`. */
const LOOKING_TOOL =
  /^(?:read|view|open|cat|ls|list|glob|grep|rg|find|search|explore|web|fetch|get|show|wait|sleep|poll|check|status|bash ?output|task ?output|tool ?search|lsp|diagnostics|think|todo|update plan|browse)/;
/** `web_form_submit`, `get_or_create`: a looking start does not excuse a changing word. */
const CHANGING_WORDS = new Set("write edit create update delete remove insert replace patch submit send post push set".split(" "));

const LOOKING_PROGRAMS = new Set(
  "ls cat head tail grep egrep fgrep rg ag ack pwd wc sleep wait ps pgrep top env printenv which whereis type stat file du df tree jq yq sort uniq cut tr nl diff cmp comm test [ [[ date uname id whoami hostname less more column basename dirname realpath readlink echo printf true false : cd lsof netstat ss ping nc nslookup dig pg_isready tput seq read od xxd hexdump sha256sum md5sum history man uptime free done break for".split(
    " ",
  ),
);

/** Programs whose second word decides. */
const LOOKING_SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  git: /^(?:status|log|diff|show|blame|rev-parse|ls-files|ls-tree|grep|describe|shortlog|cat-file|reflog|remote|rev-list|merge-base)$/,
  gh: /^(?:run (?:watch|view|list)|pr (?:view|checks|list|status|diff)|issue (?:view|list|status)|repo view|workflow (?:view|list)|auth status)\b/,
  glab: /^(?:ci|mr|issue) (?:status|view|list)\b/,
  docker: /^(?:ps|logs|inspect|images|stats|top|port|version|info|compose (?:ps|logs))\b/,
  kubectl: /^(?:get|describe|logs|wait|top|rollout status)\b/,
  systemctl: /^(?:status|is-active|show|list-units)\b/,
  npm: /^(?:ls|list|view|outdated|why|explain|config get|bin|root|prefix)\b/,
  cargo: /^(?:tree|metadata|search)\b/,
  go: /^(?:list|env|version|doc)\b/,
  terraform: /^(?:show|output|plan)\b/,
};

/** `name` and `input` as the agent reported them; a bare command counts as a shell tool's. */
export function isReadOnly(name: string, input: unknown): boolean {
  const command = typeof input === "string" ? input : commandOf(input);
  if (command !== null) return isReadOnlyCommand(command);
  const tool = name
    .replace(/^mcp__.*__/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")
    .trim();
  if (/^(?:todo|update plan)\b/.test(tool)) return true;
  return LOOKING_TOOL.test(tool) && !tool.split(" ").some((word) => CHANGING_WORDS.has(word));
}

export function isReadOnlyCommand(command: string): boolean {
  const { programs, writesFile } = readCommand(command);
  return !writesFile && programs.length > 0 && programs.every(onlyLooks);
}

/** Waits for something else to become ready: its failure means "not yet". */
export function isPoll(command: string): boolean {
  const { programs } = readCommand(command);
  return programs.length > 0 && programs.every(onlyLooks) && programs.some(polls);
}

function onlyLooks(words: readonly string[]): boolean {
  const program = programName(words);
  const rest = words.slice(1);
  if (program === "curl" || program === "wget") return !rest.some((word) => SENDING_FLAG.test(word));
  if (program === "find") return !rest.some((word) => /^-(?:delete|exec|execdir|ok)$/.test(word));
  if (program === "sed") return !rest.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
  if (program === "awk") return !rest.some((word) => word.includes(">"));
  const subcommands = Object.hasOwn(LOOKING_SUBCOMMANDS, program) ? LOOKING_SUBCOMMANDS[program] : undefined;
  if (subcommands !== undefined) return subcommands.test(withoutFlags(rest).join(" "));
  return LOOKING_PROGRAMS.has(program) || rest.join(" ") === "--version";
}

const SENDING_FLAG =
  /^(?:-X(?!GET|HEAD)\w*|--request(?!=GET)|-d.*|--data.*|--json.*|-F.*|--form.*|-T.*|--upload-file.*|-o.*|-O|--output.*|--post-data.*|--method.*)$/;
const LOOPBACK = /(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])/;
const HEALTH_PATH = /\/(?:healthz?|readyz?|livez?|ready|live|status|ping|up)\b/;

function polls(words: readonly string[]): boolean {
  const program = programName(words);
  const rest = withoutFlags(words.slice(1)).join(" ");
  switch (program) {
    case "curl":
    case "wget":
      return LOOPBACK.test(rest) || HEALTH_PATH.test(rest);
    case "gh":
      return /^(?:run (?:watch|view)|pr (?:checks|status|view))\b/.test(rest);
    case "glab":
      return /^ci status\b/.test(rest);
    case "kubectl":
      return /^(?:wait|get|rollout status)\b/.test(rest);
    case "docker":
      return /^(?:inspect|ps|compose ps)\b/.test(rest);
    case "systemctl":
      return /^(?:is-active|status)\b/.test(rest);
    default:
      return ["sleep", "wait", "nc", "ping", "pg_isready", "lsof", "ss"].includes(program);
  }
}

export function programName(words: readonly string[]): string {
  const first = textAt(words, 0);
  return first.slice(first.lastIndexOf("/") + 1);
}

/** Words that are not flags; `git -C dir status` reads as `status`. */
function withoutFlags(words: readonly string[]): string[] {
  return words.filter((word, index) => !word.startsWith("-") && !/^-(?:C|c|R|n|H|m)$/.test(textAt(words, index - 1)));
}
