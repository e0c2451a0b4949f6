/** Text from agents and gates without terminal control, before it is matched, stored or fed back. */
import stripAnsi from "strip-ansi";

// Operating system commands, device control strings and the like (title, clipboard, hyperlinks). They are cut
// here and not by the library because an unterminated one must vanish too, and must not cost quadratic time.
const CONTROL_STRING = /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
// Everything else that a terminal would obey, except tab, newline and carriage return.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Escape sequences and control characters go; of a line redrawn with `\r` the last drawing stays. */
export function sanitize(text: string): string {
  // Most text has none, and this runs on every line of every agent.
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return text;
  const printable = stripAnsi(text.replace(CONTROL_STRING, "")).replace(CONTROL, "");
  if (!printable.includes("\r")) return printable;
  return printable.split("\n").map(lastDrawing).join("\n");
}

/** Also of a line that ends with `\r`, as on Windows. */
function lastDrawing(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((segment) => segment.trim() !== "") ?? "";
}
