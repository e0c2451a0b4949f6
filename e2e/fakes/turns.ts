/** What a fake model answers, in terms that no vendor's protocol and no CLI's tools appear in. */

export type Call = { shell: string } | { write: { path: string; content: string } };

export interface Turn {
  text?: string;
  calls?: Call[];
  /** Instead of an answer. `extra` goes into the error's body, `headers` beside it. */
  error?: { status: number; code: string; message: string; extra?: Record<string, unknown>; headers?: Record<string, string> };
  /** Takes the request and never answers. */
  hang?: true;
  /** So many requests get this turn; 1. */
  times?: number;
}

/** What each answer is said to have cost. */
export const USAGE = { input: 1_000, cached: 200, output: 50 };
