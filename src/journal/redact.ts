/** Removes secrets from text before it is stored: known values of the environment and shapes of well-known keys. */

export type Redactor = (text: string) => string;

/** Names of variables whose values are secrets. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|COOKIE|_PAT$|_AUTH$|APIKEY|DSN/i;
/** The sweep token marks processes and must stay readable; the others name files and sockets. */
const NOT_SECRET_NAME = /^RALPHD_|_(?:FILE|PATH|DIR|SOCK)$/i;
/** Shorter values would blank out ordinary words. */
const MIN_SECRET_LENGTH = 8;
/** Lines of a value with several (a PEM block in a variable) are secrets of their own; its frame is not. */
const SECRET_LINE = /^(?!-----).{24,}$/;

/**
 * Every shape starts with a literal and has bounded repeats, so that the combined pattern stays linear.
 * Sources: the vendors' own documentation of their token prefixes.
 */
const SHAPES: readonly { name: string; pattern: string }[] = [
  { name: "PRIVATE_KEY", pattern: "-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)" },
  { name: "ANTHROPIC_KEY", pattern: "\\bsk-ant-[\\w-]{12,300}" },
  { name: "API_KEY", pattern: "\\bsk-(?=[\\w-]{0,200}\\d)(?=[\\w-]{0,200}[A-Z])[\\w-]{20,300}" },
  { name: "GITHUB_TOKEN", pattern: "\\bgh[pousr]_[A-Za-z0-9]{20,255}|\\bgithub_pat_\\w{20,255}" },
  { name: "GITLAB_TOKEN", pattern: "\\bglpat-[\\w-]{20,255}" },
  { name: "AWS_KEY", pattern: "\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b" },
  { name: "SLACK_TOKEN", pattern: "\\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\\bxapp-[A-Za-z0-9-]{20,255}" },
  { name: "GOOGLE_KEY", pattern: "\\bAIza[\\w-]{35}" },
  { name: "NPM_TOKEN", pattern: "\\bnpm_[A-Za-z0-9]{36}" },
  { name: "HF_TOKEN", pattern: "\\bhf_[A-Za-z0-9]{30,255}" },
  { name: "STRIPE_KEY", pattern: "\\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}" },
  { name: "JWT", pattern: "\\beyJ[\\w-]{8,8192}\\.eyJ[\\w-]{8,8192}\\.[\\w-]{0,8192}" },
  {
    name: "AUTHORIZATION",
    pattern: "\\b(?:[Aa]uthorization|AUTHORIZATION|[Xx]-[Aa]pi-[Kk]ey)[\"']?\\s{0,4}[:=]\\s{0,4}[\"']?(?:[A-Za-z]{2,12} {1,4})?[^\\s\"']{6,8192}",
  },
  { name: "BEARER", pattern: "\\b[Bb]earer {1,4}[\\w.~+/=-]{16,8192}" },
  { name: "URL_PASSWORD", pattern: "://[^\\s:@/'\"]{0,128}:[^\\s@/'\"]{3,256}@" },
];

/** One pass with one pattern over the text; safe to apply twice. */
export function createRedactor(env: NodeJS.ProcessEnv): Redactor {
  const values = secretValues(env);
  const literals = [...values.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp([...literals, ...SHAPES.map((shape) => shape.pattern)].join("|"), "g");
  const shapes = SHAPES.map(({ name, pattern: shape }) => ({ name, whole: new RegExp(`^(?:${shape})$`) }));
  const replace = (found: string): string => {
    const name = values.get(found) ?? shapes.find((shape) => shape.whole.test(found))?.name ?? "SECRET";
    return name === "URL_PASSWORD" ? `://[redacted:${name}]@` : `[redacted:${name}]`;
  };
  return (text) => (text.length < MIN_SECRET_LENGTH ? text : text.replace(pattern, replace));
}

/** Every spelling in which a secret could be printed, with the variable's name. */
function secretValues(env: NodeJS.ProcessEnv): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !isSecret(name, value.trim())) continue;
    for (const spelling of spellings(value.trim())) {
      if (spelling.length >= MIN_SECRET_LENGTH) found.set(spelling, name);
    }
  }
  return found;
}

function isSecret(name: string, value: string): boolean {
  if (value.length < MIN_SECRET_LENGTH || !SECRET_NAME.test(name) || NOT_SECRET_NAME.test(name)) return false;
  // Limits (`MAX_TOKENS=200000000`) and locations are not worth hiding, and hiding them garbles reports.
  return !/^\d{1,12}$/.test(value) && !/^\.{0,2}\/[\w./-]*$/.test(value);
}

function spellings(value: string): string[] {
  const lines = value.includes("\n") ? value.split(/\r?\n/).filter((line) => SECRET_LINE.test(line)) : [];
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), Buffer.from(value).toString("base64"), ...lines];
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Fields of journal events that identify things: blanking a tree id or a task id would break a restart. */
const IDENTITIES: ReadonlySet<string> = new Set([
  "type",
  "at",
  "run",
  "id",
  "task",
  "ticked",
  "tree",
  "head",
  "parent",
  "commit",
  "workTree",
  "baseHead",
  "baseTree",
  "ref",
]);
const NOTHING: ReadonlySet<string> = new Set();

/** Redacts every string inside a JSON value; returns the same object when nothing was found. */
export function redactValue<T>(value: T, redact: Redactor): T {
  // The cast is sound: only strings are exchanged, and only for strings.
  return redactUnknown(value, redact, NOTHING) as T;
}

/** The same for a journal event, whose identities stay as they are. */
export function redactEvent<T>(event: T, redact: Redactor): T {
  return redactUnknown(event, redact, IDENTITIES) as T;
}

function redactUnknown(value: unknown, redact: Redactor, keep: ReadonlySet<string>): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) {
    const copy = value.map((item) => redactUnknown(item, redact, keep));
    return copy.some((item, index) => item !== value[index]) ? copy : value;
  }
  if (typeof value !== "object" || value === null) return value;
  let copy: Record<string, unknown> | null = null;
  for (const [key, inner] of Object.entries(value)) {
    const clean = keep.has(key) && isPlain(inner) ? inner : redactUnknown(inner, redact, keep);
    if (clean !== inner) copy = { ...(copy ?? value), [key]: clean };
  }
  return copy ?? value;
}

/** An id or a list of ids; `task` may also hold a whole task, whose text is not exempt. */
function isPlain(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
}
