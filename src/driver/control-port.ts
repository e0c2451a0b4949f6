/** The ear of the loop: what people ask while it runs. Part of the ports, and imported through them. */

/** What people ask of a running loop. `id`: of what lies in the inbox until it was taken, the same in every process. */
export type ControlRequest = { id?: string } & (
  | { kind: "stop"; now: boolean; by: string }
  | { kind: "pause"; by: string }
  | { kind: "resume"; by: string }
  | { kind: "skip"; task: string; by: string }
  | { kind: "note"; text: string; by: string }
  | { kind: "budget"; add: Amounts; by: string }
  /** A request that was refused or could not be read, or an edit that can't be used: named in the journal, and nothing else. */
  | { kind: "notice"; message: string }
);

type Amounts = Partial<Record<"iterations" | "tokens" | "costMicroUsd" | "timeMs", number | undefined>>;

export interface Control {
  /** What waits. What has an id comes again until it was taken. */
  poll(): ControlRequest[];
  /** This request is in the journal, durably: it may be forgotten. */
  taken(id: string): void;
  /** Aborted by a second Ctrl-C, SIGTERM or `stop --now`. */
  readonly now: AbortSignal;
  /** True once a person asked to stop after this iteration. */
  finishing(): boolean;
}
