import path from 'node:path';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { unreadableReason } from '../files/unreadable-reason.ts';
import { Generation, type GenerationEntry, type GenerationRef, type Refusal } from './generation.ts';
import { type Finding, loadFiles } from './load-files.ts';
import type { PlanSource } from './plan-source.ts';

/** The status in `/readyz`, which any caller sees: file names, never paths. */
export interface GenerationsStatus {
  /**
   * `ready`: the plans in service are those on disk. `degraded`: the last good plans are in service, since something on
   * disk could not be loaded, or the service keys may be out of date. `not-ready`: requests that name no config fail.
   */
  readonly status: 'ready' | 'degraded' | 'not-ready';
  /** Why it is not ready, or what is degraded beside the files, and what to do. */
  readonly reason?: string;
  readonly generation: number;
  /** The plans in service. */
  readonly plans: readonly { readonly name: string; readonly file: string; readonly hash: string }[];
  /** Files that were not accepted; the last good plan of the same name stays in service. */
  readonly refused: readonly Refusal[];
  /** Changes on disk that take effect only after a restart, one sentence each. */
  readonly restart: readonly string[];
  /** Older generations that still have requests. */
  readonly closing: readonly { readonly generation: number; readonly running: number }[];
}

export interface GenerationsOptions {
  /** Where plans come from; without a source the only generation is empty. */
  readonly source?: PlanSource;
  /** The plan that serves requests which name no config. */
  readonly defaultConfig?: string;
  /** Throws a `LinkError` that lists what is missing. */
  readonly link: (plan: RoutingPlan) => LinkedPlan;
}

/** The plans in service, and how they are replaced. */
export interface Generations {
  readonly current: Generation;
  /** The requests that are running, of all generations. */
  readonly running: number;
  /** Where plans come from. */
  readonly folder: string | undefined;
  /** For a new request. */
  enter(): GenerationRef;
  /**
   * Reads the source again and swaps the plans. Errors in files are findings; it rejects only if the folder cannot be
   * read, and then nothing changes. `relink` also links unchanged files again, since their secrets may have changed.
   */
  reload(options?: { readonly relink?: boolean }): Promise<readonly Finding[]>;
  /** Sets the changes that need a restart, for the status; it replaces the earlier ones. */
  noteRestart(reasons: readonly string[]): void;
  status(): GenerationsStatus;
}

const sameEntries = (a: ReadonlyMap<string, GenerationEntry>, b: ReadonlyMap<string, GenerationEntry>): boolean =>
  a.size === b.size && [...a].every(([name, entry]) => b.get(name) === entry);

/** Why requests that name no config are not served. */
const missingReason = (defaultConfig: string): string =>
  `The default config "${defaultConfig}" is not served: no file contains a config of this name any more. Restore its file, or set "default_config" in the gateway file to another config and restart.`;

export const createGenerations = ({ source, link, defaultConfig }: GenerationsOptions): Generations => {
  const closing = new Set<Generation>();
  const close = (generation: Generation): void => {
    closing.delete(generation);
  };
  let current = new Generation(0, new Map(), close);
  let refused: readonly Refusal[] = [];
  let restart: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const swap = (entries: ReadonlyMap<string, GenerationEntry>): void => {
    if (sameEntries(current.entries, entries)) return;
    const before = current;
    current = new Generation(before.number + 1, entries, close);
    closing.add(before);
    before.retire();
  };

  const load = async (relink: boolean): Promise<readonly Finding[]> => {
    if (source === undefined) return [];
    try {
      const loaded = await loadFiles({ source, link, before: current.entries, relink });
      refused = loaded.refused;
      swap(loaded.entries);
      return loaded.reported;
    } catch (error) {
      refused = [{ file: source.folder, reason: unreadableReason(error) }];
      throw error;
    }
  };

  const readiness = (): Pick<GenerationsStatus, 'status' | 'reason'> => {
    if (defaultConfig !== undefined && current.plan(defaultConfig) === undefined)
      return { status: 'not-ready', reason: missingReason(defaultConfig) };
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
    reload: ({ relink = false } = {}) => {
      const reported = last.then(() => load(relink));
      last = reported.catch(() => {});
      return reported;
    },
    noteRestart: (reasons) => {
      restart = reasons;
    },
    status: () => ({
      ...readiness(),
      generation: current.number,
      plans: Array.from(current.entries, ([name, { file, served }]) => ({
        name,
        file: path.basename(file),
        hash: served.linked.plan.hash,
      })),
      refused: refused.map(({ file, reason }) => ({ file: path.basename(file), reason })),
      restart,
      closing: Array.from(closing, ({ number, running }) => ({ generation: number, running })),
    }),
  };
};
