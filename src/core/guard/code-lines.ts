/**
 * Reads source text line by line just far enough to tell code from strings and comments, so that a line that was
 * put inside a comment or a string is seen as gone, and a skip that only stands in a string is not seen at all.
 * Approximate by design: it decides about single lines of test files and need not parse a language.
 */

export type Family = "c" | "python" | "ruby" | "shell" | "data" | "other";

const FAMILIES: Readonly<Record<Exclude<Family, "other">, string>> = {
  c: "js jsx mjs cjs ts tsx mts cts go rs java kt kts scala c cc cpp cxx h hpp cs swift dart php groovy vue svelte",
  python: "py pyi",
  ruby: "rb rake ex exs",
  shell: "sh bash zsh bats ps1",
  data: "json jsonc json5 yaml yml toml csv tsv txt md mdx snap xml html svg lock sql graphql",
};

const FAMILY_OF = new Map<string, Family>();
for (const [family, extensions] of Object.entries(FAMILIES)) {
  for (const extension of extensions.split(" ")) FAMILY_OF.set(extension, family as Family);
}

export interface CodeLine {
  /** Without line ending, trailing blanks and BOM. */
  text: string;
  /** The text without comments and with emptied strings; equal to `text` for `data` and `other`. */
  code: string;
  /** What the line begins in: `` for code, else what must close it. Equal text in another place is another line. */
  inside: string;
}

/** The language family, by extension. `data` holds no code; `other` is unknown. */
export function familyOf(path: string): Family {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "other" : (FAMILY_OF.get(name.slice(dot + 1).toLowerCase()) ?? "other");
}

export function codeLines(source: string, family: Family): CodeLine[] {
  const texts = source
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd());
  // What follows the last line ending is not a line.
  if (texts.at(-1) === "") texts.pop();
  let inside = "";
  return texts.map((text) => {
    const read = family === "data" || family === "other" ? { code: text, inside: "" } : readLine(text, inside, family);
    const line = { text, code: read.code, inside };
    inside = read.inside;
    return line;
  });
}

/** Walks one line; `inside` is what is open at its start and, in the result, at its end. */
function readLine(text: string, inside: string, family: Family): { code: string; inside: string } {
  if (family === "ruby" && inside === "" && /^=begin\b/.test(text)) return { code: "", inside: "=end" };
  let code = "";
  let open = inside;
  let at = 0;
  while (at < text.length) {
    if (open !== "") {
      const end = closing(text, at, open);
      if (end < 0) break;
      if (open !== "*/" && open !== "=end") code += open[0];
      at = end;
      open = "";
      continue;
    }
    if (startsComment(text, at, family)) break;
    const next = opener(text, at, code, family);
    if (next === null) {
      code += text[at];
      at += 1;
      continue;
    }
    if (next.close !== "*/") code += next.close[0];
    at += next.length;
    open = next.close;
  }
  return { code: code.trimEnd(), inside: spansLines(open) ? open : "" };
}

function startsComment(text: string, at: number, family: Family): boolean {
  if (family === "c") return text.startsWith("//", at);
  // `$#` and `a#b` are no comments in a shell, `#{` is none in Ruby.
  return text[at] === "#" && (at === 0 || family === "python" || /\s/.test(text.charAt(at - 1)));
}

function opener(text: string, at: number, code: string, family: Family): { close: string; length: number } | null {
  const char = text.charAt(at);
  if (family === "c" && text.startsWith("/*", at)) return { close: "*/", length: 2 };
  if (family === "c" && char === "`") return { close: "`", length: 1 };
  // A slash where a value is expected begins a regular expression.
  if (family === "c" && char === "/" && /(^|[(=,:[!&|?{};]|\breturn)\s*$/.test(code)) return { close: "/", length: 1 };
  if (family === "python" && /^("""|''')/.test(text.slice(at, at + 3))) return { close: char.repeat(3), length: 3 };
  return char === '"' || char === "'" ? { close: char, length: 1 } : null;
}

/** Offset behind the closing mark, or -1 when it is not on this line. */
function closing(text: string, from: number, close: string): number {
  if (close === "=end") return /^=end\b/.test(text) ? text.length : -1;
  for (let at = from; at < text.length; at += 1) {
    if (close !== "*/" && text[at] === "\\") at += 1;
    else if (text.startsWith(close, at)) return at + close.length;
  }
  return -1;
}

function spansLines(open: string): boolean {
  return open === "*/" || open === "`" || open.length === 3 || open === "=end";
}
