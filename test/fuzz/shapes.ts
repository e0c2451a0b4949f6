/** Texts that are ordinary in no way but their size: what parsers are known to stumble over. Each is about as long as asked. */

export type Shape = (length: number) => string;

function repeated(piece: string): Shape {
  return (length) => piece.repeat(Math.ceil(length / piece.length));
}

/** Every line differs, so that nothing can be remembered. */
function counted(line: (n: number) => string): Shape {
  return (length) => {
    let text = "";
    for (let n = 0; text.length < length; n++) text += line(n);
    return text;
  };
}

function closed(open: string, close: string): Shape {
  return (length) => {
    const depth = Math.ceil(length / (open.length + close.length));
    return open.repeat(depth) + close.repeat(depth);
  };
}

function after(start: string, rest: Shape, end = ""): Shape {
  return (length) => start + rest(Math.max(1, length - start.length - end.length)) + end;
}

/** Depth grows with the root of the size, since indentation alone has the square of the depth. */
const nestedList: Shape = (length) => {
  const depth = Math.ceil(Math.sqrt(length));
  return Array.from({ length: depth }, (_, n) => `${"  ".repeat(n)}- [ ] task ${n}\n`).join("");
};

/** Runs of backticks of which none is as long as another. */
const risingBackticks: Shape = (length) => {
  let text = "";
  for (let n = 1; text.length < length; n++) text += `${"`".repeat(n)} `;
  return text;
};

/** Each alias doubles what the one before it stands for. */
const doublingAliases: Shape = counted((n) => (n === 0 ? "a0: &a0 [x, x]\n" : `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]\n`));

const PIECES = [
  "[",
  "![",
  "[ ]",
  "[ ] ",
  "[a](",
  "](",
  "`",
  "` `` ",
  "*",
  "*a ",
  "**a *b ",
  "_a_",
  "_ ",
  "<",
  "<!--",
  "<!-- -->",
  "<a ",
  "<a href='",
  "&amp;",
  "&",
  "\\",
  "\\\n",
  " ",
  "\t",
  "\n",
  "\r",
  "\r\n",
  "> ",
  ">",
  "- ",
  "* a\n",
  "- [ ] ",
  "- [x] a\n",
  "  - [ ] c\n",
  "1. ",
  "1) [~] f\n",
  "# ",
  "# h\n",
  "### Task 1: t\n",
  "```\n",
  "~~~~\n",
  "---\n",
  "===\n",
  "a\n---\n",
  "{",
  '{"a":',
  "[[",
  "[{",
  '"',
  '\\"',
  "'",
  ": ",
  "? ",
  "- - ",
  "a: ",
  "&a ",
  "*a ",
  "!!a ",
  "|\n",
  "%a\n",
  "@",
  "#",
  ",",
  "0",
  "9",
  "-",
  "e",
  "1e",
  "\u0000",
  "\u2028",
  "💥",
  "中",
  "words \uD800 ",
  "a",
  "A ",
  "\u001B[",
  "\u001B]0;",
  "%5",
  "a,b;",
  "resets ",
  "resets at ",
  "retry in 1 a, ",
  "try again at 1",
  "resets Jan 1, ",
  "(",
  "(UTC",
  "1 a ",
  "~1.",
  "12:",
  "|1",
  "<promise>",
  "</promise>",
  "<ralph",
  "error ",
  "rate limit ",
  "429 ",
  "usage ",
];

const NAMED: Readonly<Record<string, Shape>> = {
  "a deep list": nestedList,
  "rising backticks": risingBackticks,
  "doubling aliases": doublingAliases,
  "tasks inside a paragraph": after(
    "words\n",
    counted((n) => `      - [ ] task ${n}\n`),
  ),
  "tasks in an indented block": after(
    "    code\n",
    counted((n) => `    - [ ] task ${n}\n`),
  ),
  "tasks in raw HTML": after(
    "<div>\n",
    counted((n) => `- [ ] task ${n}\n`),
  ),
  "headings with tasks": counted((n) => `${"#".repeat(1 + (n % 6))} h${n}\n- [ ] a\n`),
  "task headings": counted((n) => `### Task ${n}: t${n}\n\nwords\n\n`),
  "same tasks": repeated("- [ ] the same\n"),
  "tasks in quotes": after(
    "> ".repeat(50),
    counted((n) => `- [ ] a${n}\n> `),
  ),
  "comments in a task": after("- [ ] a ", repeated("<!-- gate: x --> ")),
  "lines of a task": after("- [ ] a\n", repeated("  b `c` *d*\n")),
  "reference definitions": counted((n) => `[a${n}]: /b\n`),
  references: after("[a]: /b\n\n", repeated("[a] ")),
  "many keys": counted((n) => `k${n}: ${n}\n`),
  "many keys of one name": repeated("k: 1\n"),
  "many gates": after(
    "gates:\n",
    counted((n) => `  - name: g${n}\n    run: x\n`),
  ),
  "many gates of one name": after("gates:\n", repeated("  - name: g\n    run: x\n")),
  "many protected paths": after(
    "protect:\n",
    counted((n) => `  - a${n}/**\n`),
  ),
  "stars in a protected path": after("protect:\n  - ", repeated("*a")),
  "many globs in one": after("protect:\n  - ", repeated("{a,b}")),
  "deep mapping": (length) => Array.from({ length: Math.ceil(Math.sqrt(length)) }, (_, n) => `${" ".repeat(n)}a:\n`).join(""),
  "many anchors": counted((n) => `a${n}: &a${n} x\n`),
  "many aliases": after("a: &a x\nb:\n", repeated("  - *a\n")),
  "a merge of aliases": after(
    "a: &a {b: 1}\n",
    counted((n) => `c${n}: {<<: *a}\n`),
  ),
  "flow lists": closed("[", "]"),
  "flow mappings": closed('{"a":', "1}"),
  "a long string": after('"', repeated("a"), '"'),
  "a list of numbers": after("[1", repeated(",1"), "]"),
  "tasks in JSON": after(
    '{"userStories":[{"id":"a","title":"t","passes":false}',
    counted((n) => `,{"id":"a${n}","title":"t${n}","passes":false}`),
    "]}",
  ),
  "keys in JSON": after(
    '{"a":1',
    counted((n) => `,"k${n}":${n}`),
    "}",
  ),
  "journal lines": counted((n) => `{"type":"later","at":"2026-11-30T22:00:00.000Z","run":"20261130-2200","iteration":${n}}\n`),
  "a reset behind spaces": after("resets in 1 ", repeated(" "), "x"),
  "resets behind spaces": repeated("resets          "),
  "many amounts": after("retry in ", repeated("1 a, and "), "!"),
  "a long zone": after("resets 9pm (", repeated("a/"), ")"),
  "digits behind a bar": after("|", repeated("1")),
};

export const SHAPES: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(PIECES.map((piece) => [`many ${JSON.stringify(piece)}`, repeated(piece)])),
  ...NAMED,
};

/** What readers are there for. */
export const ORDINARY = {
  prose: counted((n) => `The ${n}th line of a text as people and programs write it, with a number (${n * 7}) and a word in "quotes".\n`),
  tasks: counted((n) => `- [ ] task ${n} with words <!-- gate: g${n} -->\n`),
  stories: after(
    '{"userStories":[{"id":"a","title":"t","passes":false}',
    counted((n) => `,{"id":"a${n}","title":"t${n}","passes":false}`),
    "]}",
  ),
  gates: after(
    "gates:\n",
    counted((n) => `  - name: g${n}\n    run: x\n`),
  ),
} satisfies Record<string, Shape>;
