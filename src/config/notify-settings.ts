/** Notifications, heartbeat and hooks from all sources. */
import { HOOK_NAMES, type HookName, type HookSpec, NOTICE_KINDS, type NotifySpec } from "../core/notice.js";
import type { Settings } from "../core/settings.js";
import { DEFAULT_SETTINGS } from "../core/defaults.js";
import type { ConfigProblem } from "./raw-layer.js";
import { problemAt } from "./raw-layer.js";
import { originIn, type Precedence } from "./precedence.js";
import type { ConfigLayer } from "./schema.js";

type Entry = NonNullable<ConfigLayer["notify"]>[number];
const DEFAULT_HOOK_MS = 60_000;

export interface NotifyReading {
  settings: Pick<Settings, "notify" | "notifyWaitMs" | "heartbeat" | "hooks">;
  problems: ConfigProblem[];
}

export function readNotify(from: Precedence): NotifyReading {
  const D = DEFAULT_SETTINGS;
  const problems: ConfigProblem[] = [];
  const notify: NotifySpec[] = [];
  // They add up: a project's receivers do not silence a person's own.
  for (const source of from.sources) {
    (source.layer.values.notify ?? []).forEach((entry, index) => {
      const spec = specOf(entry);
      if (typeof spec === "string") problems.push(problemAt(source.layer.spot(["notify", index]), `notify[${index}]: ${spec}`));
      else {
        from.origins.set(`notify.${notify.length}`, originIn(source, `notify.${index}`));
        notify.push(spec);
      }
    });
  }
  const hooks: Partial<Record<HookName, HookSpec>> = {};
  for (const name of HOOK_NAMES) {
    const entry = from.pick(`hooks.${name}`, undefined);
    const argv = entry?.argv ?? (entry?.run === undefined ? null : ["sh", "-c", entry.run]);
    if (entry !== undefined && argv === null) problems.push(problemAt(null, `hooks.${name}: name a command (\`run\`) or a program with arguments (\`argv\`)`));
    if (argv !== null) hooks[name] = { argv, timeoutMs: entry?.timeout ?? DEFAULT_HOOK_MS };
  }
  const settings = {
    notify,
    notifyWaitMs: from.pick("notifyWait", D.notifyWaitMs),
    heartbeat: {
      url: from.pick("heartbeat.url", D.heartbeat.url),
      everyMs: from.pick("heartbeat.every", D.heartbeat.everyMs),
    },
    hooks,
  };
  return { settings, problems };
}

/** A sentence says what is missing. */
function specOf(entry: Entry): NotifySpec | string {
  const kind = entry.kind ?? (entry.url !== undefined ? "webhook" : entry.argv !== undefined ? "command" : "desktop");
  const on = entry.on ?? NOTICE_KINDS;
  switch (kind) {
    case "webhook":
      return entry.url === undefined ? "a webhook needs a `url`" : { kind, on, url: entry.url, format: entry.format ?? "json" };
    case "command":
      return entry.argv === undefined ? "a command needs `argv`" : { kind, on, argv: entry.argv };
    case "desktop":
      return { kind, on };
  }
}

/** Only the host: the rest of a webhook's address is often its password. */
export function plainNotify(spec: NotifySpec): string {
  const to = spec.kind === "webhook" ? `webhook ${spec.format} ${hostOf(spec.url)}` : spec.kind === "command" ? spec.argv.join(" ") : "desktop";
  return `${to} (on ${spec.on.join(", ")})`;
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
