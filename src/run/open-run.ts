/** Builds the driver of a run: a new one, or one that is continued with what it was started with. */
import { randomBytes } from "node:crypto";
import { environmentOf, reviewerEnvironment, searchedPath } from "../agents/env.js";
import { createAgents } from "../agents/registry.js";
import { foldAll } from "../core/fold.js";
import { frozenCommands } from "../core/gate.js";
import type { AgentSettings } from "../core/settings.js";
import type { RunState } from "../core/run-state.js";
import { runStarted } from "../driver/begin.js";
import { Driver, hookToken, type World } from "../driver/driver.js";
import type { Agent, Journal } from "../driver/ports.js";
import { createGates } from "../gates/gates.js";
import { openJournal } from "../journal/journal.js";
import { createFrozenPaths } from "../journal/pinned.js";
import type { Redactor } from "../journal/redact.js";
import { createRun, type RunStore } from "../journal/run-store.js";
import { openScope } from "../once/scope.js";
import { createGit } from "../workspace/git.js";
import { freezePersonalConfig } from "../workspace/personal-config.js";
import { type GitRepo, openRepo } from "../workspace/repo.js";
import { treeFiles } from "../workspace/tree-files.js";
import { startCompanions } from "./companions.js";
import { createHooks } from "./hooks.js";
import { forgetTaken, inboxRequests, notices } from "./inbox-requests.js";
import { prepareRunBranch } from "./repository.js";
import { Refusal } from "./refusal.js";
import { type Frozen, type OpenedRecord, readFrozen, writeFrozen } from "./run-record.js";
import { isolated, type OpenedSandbox, openSandbox, requireSandbox, type RunSandbox } from "./sandbox.js";
import type { StartOptions } from "./start.js";
import { systemClock } from "./system-clock.js";
import { readTemplates } from "./templates.js";
import { observeAll, openViews, redacted } from "./views.js";
import { watchEdits } from "./watch-edits.js";

export interface OpenedRun {
  driver: Driver;
  fresh: boolean;
  /** Lets what tells people of the end leave; returns what could not be told. */
  farewell(final: RunState): Promise<string[]>;
  close(): Promise<void>;
}

interface Place {
  truthDir: string;
  redact: Redactor;
}

export async function beginRun(options: StartOptions, place: Place & { run: string }): Promise<OpenedRun> {
  const { ready } = options;
  const branch = await prepareRunBranch(ready.repo, ready.settings, (message) => options.say(`git: ${message}`));
  const { settings } = ready;
  const frozen: Frozen = {
    settings,
    templates: readTemplates(ready.repo.root),
    tokenSeed: randomBytes(9).toString("base64url"),
    startDirty: branch.startDirty,
  };
  const store = createRun(place.truthDir, place.run);
  writeFrozen(store, frozen);
  const repo = repoOf(options, frozen, store.run);
  const journal = openJournal(store.journalPath, store.run, { redact: place.redact });
  if ("problem" in journal) throw new Error(`the new journal ${store.journalPath} is damaged: ${journal.problem.message}`);
  const baseTree = await repo.treeOf(branch.base);
  const own = [...(settings.plan === null ? [] : [settings.plan]), ".ralph"];
  const started = runStarted({
    plan: ready.plan,
    settings,
    branch: branch.branch,
    from: options.from ?? branch.from,
    baseHead: branch.base,
    baseTree,
    workTree: await repo.treeWithout(baseTree, own),
    sandbox: ready.sandbox.isolated,
    reachable: ready.sandbox.reachable,
    untouched: branch.startDirty,
  });
  const state = foldAll(journal.journal.append(0, started));
  if (state === null) throw new Error("the first event of the run made no state");
  return open(options, place, { store, journal: journal.journal, state, frozen, repo, agents: ready.agents, fresh: true, sandbox: ready.sandbox });
}

export async function continueRun(options: StartOptions, record: OpenedRecord, place: Place): Promise<OpenedRun> {
  const frozen = readFrozen(record.store, options.ready.settings.hiddenGates);
  options.say(`Continuing run ${record.state.run} after iteration ${record.state.iteration}, with the configuration it was started with.`);
  if (record.repaired) options.say("The last line of its journal was torn by a crash and has been repaired.");
  const created = await createAgents(frozen.settings, { cwd: options.ready.repo.root, env: options.env, confirmed: true });
  if ("error" in created) throw new Refusal(created.error);
  const sandbox = await requireSandbox(frozen.settings, options.env);
  if (sandbox.isolated !== record.state.started.sandbox)
    options.say(`The run began ${record.state.started.sandbox ? "in a sandbox" : "without a sandbox"}; now: ${sandbox.note}`);
  const repo = repoOf(options, frozen, record.store.run);
  return open(options, place, { ...record, frozen, repo, agents: created.agents, fresh: false, sandbox });
}

function repoOf(options: StartOptions, { settings, tokenSeed }: Frozen, run: string): GitRepo {
  const { root, gitDir, commonDir } = options.ready.repo;
  const own = openScope(commonDir, "commit hooks");
  return openRepo({
    root,
    gitDir,
    maxFileBytes: settings.maxFileBytes,
    signCommits: settings.signCommits,
    onWarning: (message) => options.say(`git: ${message}`),
    hookEnv: { RALPHD_RUN: run, RALPHD_TOKEN: hookToken(tokenSeed), ...own.env },
    hookWritable: own.writable,
  });
}

interface Parts {
  store: RunStore;
  journal: Journal & { close(): void };
  state: RunState;
  frozen: Frozen;
  repo: GitRepo;
  agents: ReadonlyMap<string, Agent>;
  fresh: boolean;
  sandbox: RunSandbox;
}

async function open(options: StartOptions, place: Place, parts: Parts): Promise<OpenedRun> {
  const { store, journal, state, frozen, repo, fresh } = parts;
  const { settings } = frozen;
  const root = repo.root;
  const personal = await freezePersonalConfig(createGit({ root }), options.env, place.truthDir);
  const sandbox = await sandboxOf(options, parts, personal.files);
  const wrap = sandbox?.wrap;
  const agents = sandbox === undefined ? parts.agents : new Map([...parts.agents].map(([label, agent]) => [label, isolated(agent, sandbox.agentWrap)]));
  const edits = watchEdits({ root, plan: settings.plan, sections: settings.taskSections });
  let driver: Driver | null = null;
  const views = await openViews(root, place.redact, () => driver);
  const environment = (iteration: number, token: string, agent: AgentSettings) => environmentOf(agent, { base: options.env, run: state.run, iteration, token });
  const token = hookToken(frozen.tokenSeed);
  const companions = startCompanions({
    settings: options.ready.settings,
    truthDir: place.truthDir,
    commonDir: options.ready.repo.commonDir,
    root,
    run: state.run,
    env: options.env,
    commandEnv: environment(state.iteration, token, settings.agent),
    token,
    redact: place.redact,
    state: () => driver?.state ?? null,
  });
  const observer = observeAll([views, redacted(options.observer, place.redact), { journal: companions.journal, agent: () => undefined }], options.say);
  const frozenPaths = createFrozenPaths({
    root,
    runDir: store.dir,
    commands: frozenCommands(settings),
    protect: settings.protect,
    freeze: settings.freeze,
    path: searchedPath(settings, options.env),
    untouched: state.started.untouched,
    repo,
  });
  const world: World = {
    clock: systemClock,
    journal,
    runFiles: store.files,
    files: treeFiles(root),
    repo,
    agents,
    gates: createGates({
      root,
      killGraceMs: settings.killGraceMs,
      run: state.run,
      redact: place.redact,
      wrap,
      onceFor: (gate) => openScope(options.ready.repo.commonDir, `gate ${gate}`),
      stray: () => frozenPaths.strayProgram(),
      reviewerEnv: reviewerEnvironment(options.env),
      prices: settings.agent.prices,
    }),
    frozen: frozenPaths,
    control: {
      ...options.control,
      taken: (id) => forgetTaken(place.truthDir, id),
      poll: () => [
        ...options.control.poll(),
        ...inboxRequests(place.truthDir),
        ...notices([...edits.take(), ...companions.take(), ...(sandbox?.take() ?? [])]),
      ],
    },
    observer,
    hooks: createHooks({
      specs: options.ready.settings.hooks,
      root,
      dir: store.dir,
      killGraceMs: settings.killGraceMs,
      signal: options.control.now,
      wrap,
      onceFor: (hook) => openScope(options.ready.repo.commonDir, `hook ${hook}`),
    }),
  };
  driver = new Driver(world, { settings, templates: frozen.templates, tokenSeed: frozen.tokenSeed, env: environment }, state);
  if (fresh) observer.journal(state.started as Parameters<typeof observer.journal>[0]);
  return {
    driver,
    fresh,
    async farewell(final) {
      await companions.farewell(final);
      return companions.take();
    },
    close: async () => {
      void edits.close();
      views.refresh();
      for (const problem of views.takeProblems()) options.say(problem);
      journal.close();
      await repo.close();
      await sandbox?.close();
      personal.thaw();
    },
  };
}

/** undefined without a sandbox. Commit hooks get it too. */
async function sandboxOf(options: StartOptions, { repo, frozen, state, sandbox }: Parts, personal: string[]): Promise<OpenedSandbox | undefined> {
  if (!sandbox.isolated) return undefined;
  const { tasks } = state.started;
  const opened = await openSandbox({ repo: options.ready.repo, env: options.env, settings: frozen.settings, tasks, control: repo, personal });
  repo.wrapHooks(opened.wrap);
  return opened;
}
