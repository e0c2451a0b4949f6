/** Who the driver's commits are by: the person as git knows them, else the driver. */
import type { Git } from "./git.js";

export interface Identity {
  /** `Name <email>` */
  author: string;
  committer: string;
}

export const FALLBACK_IDENTITY = "ralphd <ralphd@localhost>";

export async function readIdentity(git: Pick<Git, "read">): Promise<Identity> {
  const [author, committer] = await Promise.all([ask(git, "GIT_AUTHOR_IDENT"), ask(git, "GIT_COMMITTER_IDENT")]);
  return { author: author ?? FALLBACK_IDENTITY, committer: committer ?? FALLBACK_IDENTITY };
}

/** Only what was configured counts: git's guess from the host name is nobody's address. */
async function ask(git: Pick<Git, "read">, variable: string): Promise<string | null> {
  const result = await git.read(["-c", "user.useConfigOnly=true", "var", variable]);
  if (result.code !== 0) return null;
  return /^(.*>) \d+ [+-]\d+$/.exec(result.stdout.toString("utf8").trim())?.[1] ?? null;
}

/** For git commands that find the identity themselves. */
export function identityArgs(identity: Identity): string[] {
  if (identity.committer !== FALLBACK_IDENTITY && identity.author !== FALLBACK_IDENTITY) return [];
  return ["-c", "user.name=ralphd", "-c", "user.email=ralphd@localhost"];
}

/** `1700000000 +0200`: seconds and the local offset, as git writes them. */
export function gitDate(now: Date): string {
  const offset = -now.getTimezoneOffset();
  const digits = (value: number): string => String(value).padStart(2, "0");
  const size = Math.abs(offset);
  const zone = `${offset < 0 ? "-" : "+"}${digits(Math.floor(size / 60))}${digits(size % 60)}`;
  return `${Math.floor(now.getTime() / 1000)} ${zone}`;
}
