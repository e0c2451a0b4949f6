/** Reads YAML text into a raw layer: canonical keys, each with its line and column. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import { tooDeep } from "../core/yaml.js";
import { canonicalPath, shorthandKey } from "./keys.js";
import { bare, emptyLayer, type KeyPath, problemAt, type RawLayer, type Spot, setAt } from "./raw-layer.js";

export interface YamlSource {
  text: string;
  /** As people know it; stands in messages and origins. */
  file: string;
  /** Line of the file in which the text begins; 1 for a whole file. */
  firstLine: number;
}

export function readYaml(source: YamlSource): RawLayer {
  const layer = emptyLayer();
  const lines = new LineCounter();
  const deep = tooDeep(source.text);
  if (deep !== null) {
    const above = source.text.slice(0, deep).split("\n");
    const spot = { file: source.file, line: above.length + source.firstLine - 1, column: (above.at(-1)?.length ?? 0) + 1, label: "YAML" };
    layer.problems.push(problemAt(spot, "nested too deeply to be read"));
    return layer;
  }
  const document = parseDocument(source.text, { lineCounter: lines, prettyErrors: false });
  const spot = (offset: number, label: string): Spot => {
    const at = lines.linePos(offset);
    return { file: source.file, line: at.line + source.firstLine - 1, column: at.col, label };
  };
  for (const error of document.errors) {
    layer.problems.push(problemAt(spot(error.pos[0], "YAML"), `not readable as YAML: ${error.message}`));
  }
  if (layer.problems.length > 0) return layer;
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return layer;
  if (!isMap(root)) {
    layer.problems.push(problemAt(spot(root.range[0], "YAML"), "must be a mapping of settings, such as `limits:` with indented keys"));
    return layer;
  }
  readMap({ layer, spot }, root, []);
  return layer;
}

interface Reader {
  layer: RawLayer;
  spot(offset: number, label: string): Spot;
}

function readMap(reader: Reader, map: YAMLMap, path: KeyPath): void {
  for (const pair of map.items as Pair[]) {
    const key = pair.key;
    const offset = isScalar(key) && key.range ? key.range[0] : 0;
    if (!isScalar(key) || typeof key.value === "object") {
      reader.layer.problems.push(problemAt(reader.spot(offset, "key"), "a key must be plain text"));
      continue;
    }
    const written = String(key.value);
    readNode(reader, pair.value as Node | null, canonicalPath(path, written), reader.spot(offset, written));
  }
}

/** A value that is missing counts as not said, so that a key whose lines are commented out is no error. */
function readNode(reader: Reader, node: Node | null, path: KeyPath, spot: Spot): void {
  const short = shorthandKey(path);
  if (isAlias(node)) {
    reader.layer.problems.push(problemAt(spot, `${spot.label}: anchors and aliases are not read here, write the value out`));
  } else if (isMap(node)) {
    openMap(reader.layer, path, spot);
    readMap(reader, node, path);
  } else if (isSeq(node)) {
    const items: unknown[] = [];
    setAt(reader.layer, path, items, spot);
    node.items.forEach((item, index) => {
      const inner = item as Node;
      readNode(reader, inner, [...path, index], { ...reader.spot(inner.range?.[0] ?? 0, spot.label) });
    });
  } else {
    const value = isScalar(node) && node.value !== null ? node.value : undefined;
    if (short === null || value === undefined) setAt(reader.layer, path, value, spot);
    else {
      openMap(reader.layer, path, spot);
      setAt(reader.layer, [...path, short], value, spot);
    }
  }
}

/** An alias elsewhere may have made the mapping already; its keys then add up. */
function openMap(layer: RawLayer, path: KeyPath, spot: Spot): void {
  let holder: unknown = layer.value;
  for (const step of path) {
    // The layer holds only objects and lists of its own making.
    holder = (holder as Record<string | number, unknown>)[step];
    if (holder === undefined) break;
  }
  if (holder === undefined) setAt(layer, path, bare(), spot);
}
