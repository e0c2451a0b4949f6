/** The index extension `TREE`: which folders' tree objects are known. Without it git reads every tree again at each status. */

interface Node {
  name: Buffer;
  /** Entries of the index below it; -1 when its tree is not known. */
  count: number;
  oid: Buffer;
  children: Node[];
}

/** The same with every folder above these paths unknown. null when it can not be read, or a path stands where a folder was. */
export function invalidate(content: Buffer, paths: readonly string[], oidBytes: number): Buffer | null {
  const read = readNode(content, 0, oidBytes);
  if (read === null || read.next !== content.length) return null;
  for (const path of paths) {
    let node: Node | undefined = read.node;
    for (const name of Buffer.from(path).toString("latin1").split("/")) {
      if (node === undefined) break;
      node.count = -1;
      node = node.children.find((child) => child.name.toString("latin1") === name);
    }
    if (node !== undefined) return null;
  }
  return Buffer.concat(write(read.node));
}

/** `<name> NUL <count> SP <children> LF [oid]`, then the children. */
function readNode(content: Buffer, start: number, oidBytes: number): { node: Node; next: number } | null {
  const zero = content.indexOf(0, start);
  const lineEnd = content.indexOf(10, zero);
  if (zero < 0 || lineEnd < 0) return null;
  const numbers = /^(-?\d+) (\d+)$/.exec(content.toString("latin1", zero + 1, lineEnd));
  if (numbers === null) return null;
  const count = Number(numbers[1]);
  let next = lineEnd + 1 + (count < 0 ? 0 : oidBytes);
  const node: Node = { name: content.subarray(start, zero), count, oid: content.subarray(lineEnd + 1, next), children: [] };
  for (let left = Number(numbers[2]); left > 0; left--) {
    const child = readNode(content, next, oidBytes);
    if (child === null) return null;
    node.children.push(child.node);
    next = child.next;
  }
  return next > content.length ? null : { node, next };
}

function write(node: Node): Buffer[] {
  const line = Buffer.concat([node.name, Buffer.from(`\0${node.count} ${node.children.length}\n`)]);
  return [line, ...(node.count < 0 ? [] : [node.oid]), ...node.children.flatMap(write)];
}
