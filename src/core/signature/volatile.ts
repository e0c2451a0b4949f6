/** Takes out of a text what differs between two runs of the same thing: times, durations, ids, temporary paths. */
import stripAnsi from "strip-ansi";

const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?`;
const ZONE = String.raw`(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`;
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const DAY = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?";
const TEMP_ROOT = String.raw`(?:/private)?(?:/tmp|/var/tmp|/dev/shm|/run/user/\d+|/var/folders/\w+/\w+/T)|\$\{?TMPDIR\}?|[A-Za-z]:\\Users\\[^\\\s]+\\AppData\\Local\\Temp`;

/**
 * In this order: a rule may rely on the ones before it. A plain date or a bare number stays, since
 * it is more often the subject of an assertion than noise; "9 failing" and "6 failing" must differ.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?!\w)/g, "{uuid}"],
  [/(?<!\w)\d{4}-\d{2}-\d{2}[T ]\d{2}[:_-]\d{2}(?:[:_-]\d{2}(?:[.,_]\d+)?)?(?:Z|\s?[+-]\d{2}:?\d{2})?(?!\w)/g, "{time}"],
  [new RegExp(String.raw`(?<!\w)${DAY}\d{1,2} ${MONTH} \d{4} ${CLOCK}${ZONE}(?!\w)`, "g"), "{time}"],
  [new RegExp(String.raw`(?<!\w)${DAY}${MONTH} +\d{1,2} ${CLOCK}${ZONE}(?: \d{4})?(?!\w)`, "g"), "{time}"],
  [new RegExp(String.raw`(?<!\w)\d{1,2}/${MONTH}/\d{4}:${CLOCK}${ZONE}(?!\w)`, "g"), "{time}"],
  [/(?<![\w:.])\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AaPp][Mm])?(?![\w:])/g, "{time}"],
  // One level below the temporary folder is the random part; what follows says which file it was.
  [new RegExp(String.raw`(?<![\w.])(?:${TEMP_ROOT})(?:[/\\][^\s/\\'"\x60:;,()<>|{}[\]]+)?(?![\w])`, "g"), "{tmp}"],
  [/(?<!\w)0x[0-9a-fA-F]+(?!\w)/g, "{hex}"],
  [/((?:duration|elapsed)(?:_?ms)?["']?\s?[:= ]\s?["']?|took |time["']?\s?[:=]\s?["']?)\d+(?:\.\d+)?(?:ms|s)?(?![\w.:])/gi, "$1{took}"],
  [/(?<![\w.])(?:\d+h ?)?(?:\d+m ?)?\d+(?:\.\d+)? ?(?:ms|µs|μs|us|ns|s|secs?|seconds?|mins?|minutes?)(?![\w])/g, "{took}"],
  [/(?<![\w.])\d+(?:\.\d+)?[mh](?!\w)/g, "{took}"],
  [/(?<!\w)(pid|process|node|thread|port|worker)([ :=#[(]{1,2})\d{2,}(?![\w.])/gi, "$1$2{n}"],
  [/(thread '[^']*' \()\d+\)/g, "$1{n})"],
  [/(?<![\w\]])(\[|==)\d{3,7}(\]|==)(?!\w)/g, "$1{n}$2"],
  [/(localhost|127\.0\.0\.1|0\.0\.0\.0|::1?\]?):\d{2,5}(?!\d)/g, "$1:{n}"],
  // A hexadecimal id is all digits now and then.
  [/(?<![\w.])\d{10,19}(?![\w])/g, "{hex}"],
];

const ID_CANDIDATE = /(?<!\w)\w[\w-]{6,}(?!\w)/g;

/** Every rule needs a digit or a temporary folder; most words of most commands have neither. */
const MAY_BE_VOLATILE = /\d|\/tmp|\/dev\/shm|\/var\/folders|TMPDIR|\\Temp/;

/** Replaces the volatile parts of one line or word. Applying it twice changes nothing. */
export function replaceVolatile(text: string): string {
  if (!MAY_BE_VOLATILE.test(text)) return text;
  let current = text;
  // A replacement can uncover what a neighbour hid, so the rules run until nothing moves.
  for (let round = 0; round < 8; round += 1) {
    const next = onePass(current);
    if (next === current) return next;
    current = next;
  }
  return current;
}

function onePass(text: string): string {
  let result = text;
  for (const [pattern, replacement] of RULES) result = result.replace(pattern, replacement);
  return result.replace(ID_CANDIDATE, (word) => (isHex(word) ? "{hex}" : isRandom(word) ? "{id}" : word));
}

/** Git ids and digests: letters and digits both, so that neither a word nor a count is taken. */
function isHex(word: string): boolean {
  return /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(word) && /\d/.test(word) && /[a-fA-F]/.test(word);
}

/**
 * Random strings change between upper case, lower case and digits at more than every other character;
 * names (`parsesUtf8Strings`) do so once a word.
 */
function isRandom(word: string): boolean {
  const core = word.replace(/[-_]/g, "");
  if (core.length < 12 || !/\d/.test(core)) return false;
  let changes = 0;
  for (let index = 1; index < core.length; index += 1) {
    if (kindOf(core.charAt(index)) !== kindOf(core.charAt(index - 1))) changes += 1;
  }
  return changes / core.length > 0.4;
}

function kindOf(char: string): "digit" | "upper" | "lower" {
  if (char >= "0" && char <= "9") return "digit";
  return char >= "A" && char <= "Z" ? "upper" : "lower";
}

/** Lines of a huge output that are looked at, from each end; a cut at lines leaves the rest of each end stable. */
const KEPT_LINES = 400;
const KEPT_LINE_CHARS = 2_000;
const CONTROL = /[^\P{Cc}\t\n\r]/gu;
/** Positions in stack frames move with every edit above them, and the message says what failed. */
const STACK_FRAME = /^at .*$/;

/** Output as it counts for comparison: no colours, no progress lines, no blanks, nothing volatile; one entry a line. */
export function normaliseLines(output: string): string[] {
  const lines: string[] = [];
  for (const raw of boundedLines(stripAnsi(output).replace(/\r\n/g, "\n"))) {
    const drawn = lastDrawn(raw).replace(CONTROL, "").replace(/\s+/g, " ").trim();
    const line = replaceVolatile(STACK_FRAME.test(drawn) ? withoutPosition(drawn) : drawn);
    if (line !== "") lines.push(line);
  }
  return lines;
}

export function normaliseOutput(output: string): string {
  return normaliseLines(output).join("\n");
}

/** What stands before a position may end with another one. */
function withoutPosition(frame: string): string {
  const shorter = frame.replace(/(?::\d+\)?)+$/, (end) => (end.includes(")") ? ")" : "")).trimEnd();
  return shorter === frame ? frame : withoutPosition(shorter);
}

/** A carriage return draws over the line: only what was drawn last is the outcome. */
function lastDrawn(line: string): string {
  const trimmed = line.replace(/\r+$/, "");
  return trimmed.slice(trimmed.lastIndexOf("\r") + 1);
}

function boundedLines(text: string): string[] {
  const lines = text.split("\n");
  const kept = lines.length <= 2 * KEPT_LINES ? lines : [...lines.slice(0, KEPT_LINES), ...lines.slice(-KEPT_LINES)];
  return kept.map((line) => line.slice(-KEPT_LINE_CHARS));
}
