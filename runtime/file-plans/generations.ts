import { basename } from 'node:path';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { unreadableReason } from '../watched-files/unreadable-reason.ts';
import type { FileModels } from './file-models.ts';
import { Generation, type GenerationRef, type Refusal } from './generation.ts';
import type { GenerationEntry } from './generation-entry.ts';
import { type Finding, type LoadedFiles, loadFiles } from './load-files.ts';
import type { PlanSource } from './plan-source.ts';

/** The status in `/readyz`, which any caller sees: file names, never paths. */
export interface GenerationsStatus {
  /**
   * `ready`: the plans in service are those on disk. `degraded`: the last good plans are in service because something on disk
   * could not be loaded, or the service keys may be out of date. `not-ready`: requests that name no config fail.
   */
  readonly status: 'ready' | 'degraded' | 'not-ready';
  /** Why it is not ready, or what is degraded apart from the files, and what to do. */
  readonly reason?: string;
  readonly generation: number;
  /** The plans in service. */
  readonly plans: readonly { readonly name: string; readonly file: string; readonly hash: string }[];
  /** Files that were not accepted. The last good plan of the same name stays in service. */
  readonly refused: readonly Refusal[];
  /** Changes on disk that take effect only after a restart, one sentence each. */
  readonly restart: readonly string[];
  /** Older generations that still have requests. */
  readonly closing: readonly { readonly generation: number; readonly running: number }[];
}

export interface ReloadOptions {
  /** Whether unchanged files are also linked again, because their secrets may have changed. */
  readonly relink?: boolean;
}

export interface GenerationsOptions {
  /** The source of plans. Without a source, the only generation is empty. */
  readonly source?: PlanSource | undefined;
  /** The virtual models of the gateway file. Default: none. */
  readonly models?: FileModels | undefined;
  /** The plan that serves requests that name no config. */
  readonly defaultConfig?: string | undefined;
  /** Throws a `LinkError` that lists what is missing. */
  readonly link: (plan: RoutingPlan) => LinkedPlan;
}

/** Plans that were read and linked, but are not in service yet. Exactly one of `commit` and `abort` must be called, once. */
export interface PreparedReload {
  readonly findings: readonly Finding[];
  /** Identifies what would be in service, and what was refused: two gateways with the same outcome would serve the same. */
  outcome(): string;
  /** Puts them into service. */
  commit(): void;
  /** Leaves the plans in service unchanged. */
  abort(): void;
}

/** The plans in service, and how they are replaced. */
export interface Generations {
  readonly current: Generation;
  /** The number of running requests in all generations. */
  readonly running: number;
  /** The folder that plans come from. */
  readonly folder: string | undefined;
  /** Called for a new request. */
  enter(): GenerationRef;
  /**
   * Reads the source again and swaps the plans. Errors in files are findings. Rejects only if the folder cannot be read, in which
   * case nothing changes. `relink` also links unchanged files again, because their secrets may have changed.
   */
  reload(options?: ReloadOptions): Promise<readonly Finding[]>;
  /** Runs the first half of a reload. No other reload begins before this one is committed or aborted. */
  prepare(options?: ReloadOptions): Promise<PreparedReload>;
  /** Sets the changes that require a restart, for the status. Replaces the earlier ones. */
  noteRestart(reasons: readonly string[]): void;
  status(): GenerationsStatus;
}

const sameEntries = (a: ReadonlyMap<string, GenerationEntry>, b: ReadonlyMap<string, GenerationEntry>): boolean =>
  a.size === b.size && [...a].every(([name, entry]) => b.get(name) === entry);

const linkedPlans = (...lists: readonly ReadonlyMap<string, GenerationEntry>[]): readonly LinkedPlan[] =>
  lists.flatMap((entries) => Array.from(entries.values(), ({ served }) => served.linked));

const noFiles: LoadedFiles = { entries: new Map(), refused: [], reported: [] };

const outcomeOf = (...lists: readonly LoadedFiles[]): string =>
  JSON.stringify(
    lists.map(({ entries, refused }) => ({
      served: Array.from(entries, ([name, { served }]) => [name, served.linked.plan.hash]).sort(),
      refused: refused.map(({ file, reason }) => [basename(file), reason]).sort(),
    })),
  );

/** Returns why requests that name no config are not served. */
const missingReason = (defaultConfig: string): string =>
  `The default config "${defaultConfig}" is not served: no file contains a config of this name any more. Restore its file, or set "default_config" in the gateway file to another config and restart.`;

export const createGenerations = ({ source, link, defaultConfig, models }: GenerationsOptions): Generations => {
  const closing = new Set<Generation>();
  const close = (generation: Generation): void => {
    closing.delete(generation);
  };
  let aliases: LoadedFiles['entries'] = new Map();
  const toGeneration = (number: number, entries: LoadedFiles['entries']): Generation =>
    new Generation(
      number,
      models === undefined ? { entries } : { entries, models: models.toModels(entries, aliases) },
      close,
    );
  let current = toGeneration(0, new Map());
  let refused: readonly Refusal[] = [];
  let restart: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const swap = (entries: LoadedFiles['entries'], nextAliases: LoadedFiles['entries']): void => {
    if (sameEntries(current.entries, entries) && sameEntries(aliases, nextAliases)) return;
    const before = current;
    const plansBefore = linkedPlans(before.entries, aliases);
    const plansNow = new Set(linkedPlans(entries, nextAliases));
    aliases = nextAliases;
    current = toGeneration(before.number + 1, entries);
    closing.add(before);
    before.retire();
    for (const linked of plansBefore) if (!plansNow.has(linked)) linked.retire();
  };

  const putIntoService = ({ entries, refused: files }: LoadedFiles, own: LoadedFiles): void => {
    refused = [...own.refused, ...files];
    swap(entries, own.entries);
  };

  /** Releases what plans hold that were linked but not used. */
  const drop = (...lists: readonly LoadedFiles['entries'][]): void => {
    const serving = new Set(linkedPlans(current.entries, aliases));
    for (const linked of linkedPlans(...lists)) if (!serving.has(linked)) linked.retire();
  };

  const prepare = async (relink: boolean): Promise<PreparedReload> => {
    const linking = { link, relink, ...(models === undefined ? {} : { refuse: models.refuse }) };
    const ownModels = models === undefined ? noFiles : await models.load({ ...linking, before: aliases });
    try {
      const loaded = source === undefined ? noFiles : await loadFiles({ ...linking, source, before: current.entries });
      return {
        findings: [...ownModels.reported, ...loaded.reported],
        outcome: () => outcomeOf(ownModels, loaded),
        commit: () => putIntoService(loaded, ownModels),
        abort: () => drop(ownModels.entries, loaded.entries),
      };
    } catch (error) {
      const failed = { file: source?.folder ?? '', reason: unreadableReason(error) };
      putIntoService({ ...noFiles, entries: current.entries, refused: [failed] }, ownModels);
      throw error;
    }
  };

  const load = async (relink: boolean): Promise<readonly Finding[]> => {
    const { findings, commit } = await prepare(relink);
    commit();
    return findings;
  };

  /** Starts each reload when the previous one has ended. */
  const reloadNext = (relink: boolean): Promise<readonly Finding[]> => {
    const reported = last.then(() => load(relink));
    last = reported.catch(() => {});
    return reported;
  };

  const prepareNext = (relink: boolean): Promise<PreparedReload> => {
    const decided = Promise.withResolvers<void>();
    const preparing = last.then(() => prepare(relink));
    last = preparing.then(
      () => decided.promise,
      () => {},
    );
    const deciding = (decide: () => void) => (): void => {
      decide();
      decided.resolve();
    };
    return preparing.then(({ findings, outcome, commit, abort }) => ({
      ...{ findings, outcome },
      commit: deciding(commit),
      abort: deciding(abort),
    }));
  };

  const readiness = (): Pick<GenerationsStatus, 'status' | 'reason'> => {
    if (defaultConfig !== undefined && current.plan(defaultConfig) === undefined)
      return { status: 'not-ready', reason: missingReason(defaultConfig) };
    const reason = models?.missingReason(current.models);
    if (reason !== undefined) return { status: 'degraded', reason };
    return { status: refused.length > 0 || restart.length > 0 ? 'degraded' : 'ready' };
  };

  return {
    get current() {
      return current;
    },
    get running() {
      return Array.from(closing, ({ running }) => running).reduce((sum, running) => sum + running, current.running);
    },
    folder: source?.folder,
    enter: () => current.enter(),
    reload: ({ relink = false } = {}) => reloadNext(relink),
    prepare: ({ relink = false } = {}) => prepareNext(relink),
    noteRestart: (reasons) => {
      restart = reasons;
    },
    status: () => ({
      ...readiness(),
      generation: current.number,
      plans: Array.from(current.entries, ([name, { file, served }]) => ({
        name,
        file: basename(file),
        hash: served.linked.plan.hash,
      })),
      refused: refused.map(({ file, reason }) => ({ file: basename(file), reason })),
      restart,
      closing: Array.from(closing, ({ number, running }) => ({ generation: number, running })),
    }),
  };
};
