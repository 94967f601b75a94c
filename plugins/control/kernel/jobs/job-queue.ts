import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { RunningGateway } from '../../../sdk/plugin/plugin.ts';
import { orCancelled } from '../../../sdk/time/or-cancelled.ts';
import { StoreError, type Writing } from '../store/store.ts';

/** The outcome of a job's run: it is over, or runs again, at a time in milliseconds since the epoch. */
export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly runAt: number; readonly payload?: JsonObject };

export const jobDone: JobOutcome = { kind: 'done' };

/** A job that this process does. */
export interface RunningJob {
  readonly id: string;
  /** The id of its workspace. */
  readonly tenant: string;
  readonly payload: JsonObject;
  /** Cancelled when another process has taken it over, when it is gone, and when this process ends. */
  readonly cancellation: Cancellation;
  readonly gateway: RunningGateway;
  /**
   * Writes, unless another process has taken the job over meanwhile: then nothing is written. With an outcome the job ends
   * in the same transaction, and what `run` resolves to afterwards does not matter. As all writes of the store it may be run
   * more than once.
   */
  commit(run: (writing: Writing) => Promise<void>, outcome?: JobOutcome): Promise<'committed' | 'fenced'>;
}

export interface JobKind {
  readonly name: string;
  /** How many of them a process does at once, of which those of one tenant are at most a quarter. */
  readonly concurrency: number;
  /**
   * How many of them a tenant may have that wait, and their name for the caller that adds them, in the plural. Absent where a
   * tenant adds no jobs by its requests, or only as many as something else allows.
   */
  readonly queue?: { readonly maxQueued: number; readonly what: string };
  /** Runs a job; a rejection is reported to the operator, and it runs again later. */
  run(job: RunningJob): Promise<JobOutcome>;
}

export interface NewJob {
  readonly kind: string;
  /** Unique in its kind, also among those that are over. */
  readonly id: string;
  /** The id of a workspace, with which it goes. */
  readonly tenant: string;
  readonly payload: JsonObject;
  /** When it is to run, in milliseconds since the epoch; at once if absent. */
  readonly runAt?: number;
}

/** Work that is done outside of requests, by any process of the store. */
export interface JobQueue {
  /**
   * Adds a job with what else is written. The caller calls `wake` when that is done. Throws the `GatewayError` `queue-full`
   * where the tenant has as many of the kind waiting as it may have.
   */
  add(writing: Writing, job: NewJob): Promise<void>;
  /** Makes a job due now, unless a process does it at the moment. The caller calls `wake` when that is written. */
  hurry(writing: Writing, job: Pick<NewJob, 'kind' | 'id'>): Promise<void>;
  register(kind: JobKind): void;
  /** Looks for jobs now. */
  wake(): void;
  /** Begins to do jobs. */
  start(gateway: RunningGateway): void;
  /** Cancels what this process does, and leaves it to others. */
  close(): Promise<void>;
}

/**
 * Runs what the store refuses while it is unavailable again, each second, as long as the job is this process's: what providers have
 * answered is not asked of them again because of a moment. Rejects as `run` does otherwise.
 */
export const outlastStore = async <Result>(
  { cancellation }: Pick<RunningJob, 'cancellation'>,
  run: () => Promise<Result>,
): Promise<Result> => {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await orCancelled(setTimeout(1000), cancellation);
      if (cancellation.cancelled) throw error;
    }
  }
};
