/** Splits a shell command line into words and operators, as far as signatures need it; never fails on broken input. */

/** `bare`: stood outside quotes, so that `2>&1` as an argument is not taken for a redirection. */
export type Piece = { kind: "word"; text: string; bare: boolean } | { kind: "operator"; text: string };

const OPERATORS = ["&&", "||", ";;", "|&", ";", "|", "\n", "&", "(", ")"];
const REDIRECTION = /^(?:\d*|&)(?:>>|>&|<<<|<<-?|<&|>\||>|<)(?:&?[\d-])?/;

export function splitShell(command: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < command.length) {
    const rest = command.slice(at, at + 16);
    const char = command.charAt(at);
    if (char !== "\n" && /\s/.test(char)) at += 1;
    else if (char === "\\" && command.charAt(at + 1) === "\n") at += 2;
    else if (char === "#") at = endOfLine(command, at);
    else {
      const redirection = REDIRECTION.exec(rest)?.[0];
      const operator = OPERATORS.find((candidate) => rest.startsWith(candidate));
      if (redirection !== undefined) {
        pieces.push({ kind: "word", text: redirection, bare: true });
        at += redirection.length;
      } else if (operator !== undefined) {
        pieces.push({ kind: "operator", text: operator });
        at += operator.length;
      } else {
        const word = readWord(command, at);
        pieces.push({ kind: "word", text: word.text, bare: word.bare });
        at = word.end;
      }
    }
  }
  return pieces;
}

function endOfLine(command: string, at: number): number {
  const end = command.indexOf("\n", at);
  return end === -1 ? command.length : end;
}

interface Word {
  text: string;
  bare: boolean;
  end: number;
}

function readWord(command: string, start: number): Word {
  let text = "";
  let bare = true;
  let at = start;
  while (at < command.length && !/[\s;|&<>()]/.test(command.charAt(at))) {
    const char = command.charAt(at);
    if (char === "'" || char === '"') {
      const quoted = readQuoted(command, at);
      text += quoted.text;
      bare = false;
      at = quoted.end;
    } else if (char === "\\") {
      text += command.charAt(at + 1) === "\n" ? "" : command.charAt(at + 1);
      bare = false;
      at += 2;
    } else if ((char === "$" && command.charAt(at + 1) === "(") || char === "`") {
      const end = endOfSubstitution(command, at);
      text += command.slice(at, end);
      at = end;
    } else {
      text += char;
      at += 1;
    }
  }
  return { text, bare, end: at };
}

function readQuoted(command: string, start: number): { text: string; end: number } {
  const quote = command.charAt(start);
  let text = "";
  let at = start + 1;
  while (at < command.length && command.charAt(at) !== quote) {
    const escaped = quote === '"' && command.charAt(at) === "\\" && /["\\$`\n]/.test(command.charAt(at + 1));
    if (escaped) at += 1;
    text += command.charAt(at);
    at += 1;
  }
  return { text, end: at + 1 };
}

/** End of `$(…)` or of back quotes; an unclosed one runs to the end. */
function endOfSubstitution(command: string, start: number): number {
  if (command.charAt(start) === "`") {
    const close = command.indexOf("`", start + 1);
    return close === -1 ? command.length : close + 1;
  }
  let depth = 0;
  for (let at = start + 1; at < command.length; at += 1) {
    if (command.charAt(at) === "(") depth += 1;
    if (command.charAt(at) === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return command.length;
}

/** Writes a word so that it reads back as the same text: plain where possible, else in single quotes. */
export function quoteWord(text: string): string {
  if (/^[^\s'"\\`$;|&<>()#]+$/.test(text)) return text;
  return `'${text.replace(/'/g, `'\\''`)}'`;
}
