/** Reads JSON with the place of every value, which `JSON.parse` does not tell: to name a fault's line and to change one word. */

export type JsonNode = { start: number; end: number } & (
  | { kind: "object"; members: { key: string; value: JsonNode }[] }
  | { kind: "array"; items: JsonNode[] }
  | { kind: "scalar"; value: string | number | boolean | null }
);

interface Fault {
  kind: "fault";
  offset: number;
  message: string;
}

export type JsonReading = { kind: "value"; node: JsonNode } | Fault;

/** Deeper nesting is taken for damage, and would end the stack. */
const MAX_DEPTH = 200;
const SPACE = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Accepts exactly what `JSON.parse` accepts. */
export function readJson(text: string): JsonReading {
  const node = readValue(text, skipSpace(text, 0), 0);
  if (node.kind === "fault") return node;
  const rest = skipSpace(text, node.end);
  return rest < text.length ? fault(rest, "something follows the end of the JSON value") : { kind: "value", node };
}

function fault(offset: number, message: string): Fault {
  return { kind: "fault", offset, message };
}

export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  // As in JSON.parse the last of equal keys counts.
  return node?.kind === "object" ? node.members.findLast((member) => member.key === key)?.value : undefined;
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

function readValue(text: string, at: number, depth: number): JsonNode | Fault {
  if (depth > MAX_DEPTH) return fault(at, "nested too deeply");
  const first = text.charAt(at);
  if (first === "{") return readObject(text, at, depth);
  if (first === "[") return readArray(text, at, depth);
  SCALAR.lastIndex = at;
  const token = SCALAR.exec(text)?.[0];
  if (token === undefined) return fault(at, at >= text.length ? "the file ends too early" : `a value is expected, not ${shown(text, at)}`);
  const value: unknown = JSON.parse(token);
  return { kind: "scalar", start: at, end: at + token.length, value: value as string | number | boolean | null }; // SCALAR matches nothing else
}

function readObject(text: string, start: number, depth: number): JsonNode | Fault {
  const members: { key: string; value: JsonNode }[] = [];
  const end = readSequence(text, start, "}", (at) => {
    const key = readValue(text, at, depth + 1);
    if (key.kind === "fault") return key;
    if (key.kind !== "scalar" || typeof key.value !== "string") return fault(at, `a key in double quotes is expected, not ${shown(text, at)}`);
    const colon = skipSpace(text, key.end);
    if (text.charAt(colon) !== ":") return fault(colon, `\`:\` is expected, not ${shown(text, colon)}`);
    const value = readValue(text, skipSpace(text, colon + 1), depth + 1);
    if (value.kind === "fault") return value;
    members.push({ key: key.value, value });
    return value.end;
  });
  return typeof end === "number" ? { kind: "object", start, end, members } : end;
}

function readArray(text: string, start: number, depth: number): JsonNode | Fault {
  const items: JsonNode[] = [];
  const end = readSequence(text, start, "]", (at) => {
    const item = readValue(text, at, depth + 1);
    if (item.kind === "fault") return item;
    items.push(item);
    return item.end;
  });
  return typeof end === "number" ? { kind: "array", start, end, items } : end;
}

/** Calls `readItem` for each item between an opening at `start` and `close`; gives the offset behind `close`, or the first fault. */
function readSequence(text: string, start: number, close: "}" | "]", readItem: (at: number) => number | Fault): number | Fault {
  let at = skipSpace(text, start + 1);
  if (text.charAt(at) === close) return at + 1;
  for (;;) {
    const end = readItem(at);
    if (typeof end !== "number") return end;
    at = skipSpace(text, end);
    if (text.charAt(at) === close) return at + 1;
    if (text.charAt(at) !== ",") return fault(at, `\`,\` or \`${close}\` is expected, not ${shown(text, at)}`);
    at = skipSpace(text, at + 1);
  }
}

function shown(text: string, at: number): string {
  const character = text.slice(at, at + 1);
  return character === "" ? "the end of the file" : `\`${JSON.stringify(character).slice(1, -1)}\``;
}
