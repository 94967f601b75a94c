import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { RunningGateway } from '../../../sdk/plugin/plugin.ts';
import { settledOrCancelled } from '../../../sdk/time/settled-or-cancelled.ts';
import { StoreError, type Writing } from '../store/store.ts';

/** The outcome of a job's run: the job is over, or it runs again at a time in milliseconds since the epoch. */
export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly runAt: number; readonly payload?: JsonObject };

export const jobDone: JobOutcome = { kind: 'done' };

/** A job that this process runs. */
export interface RunningJob {
  readonly id: string;
  /** The id of its workspace. */
  readonly tenant: string;
  readonly payload: JsonObject;
  /** Cancelled when another process has taken over the job, when the job no longer exists, and when this process ends. */
  readonly cancellation: Cancellation;
  readonly gateway: RunningGateway;
  /**
   * Writes in a transaction, unless another process has taken over the job in the meantime: then nothing is written. With an
   * outcome, the job ends in the same transaction, and the value that `run` resolves to is ignored. Like all writes of the store,
   * it may run more than once.
   */
  commit(run: (writing: Writing) => Promise<void>, outcome?: JobOutcome): Promise<'committed' | 'fenced'>;
}

export interface JobKind {
  readonly name: string;
  /** How many of these jobs a process runs at once. One tenant gets at most a quarter of them. */
  readonly concurrency: number;
  /**
   * How many of these jobs a tenant may have waiting, and their name, in the plural, for the caller that adds them. Absent if a
   * tenant adds no jobs by its requests, or only as many as something else allows.
   */
  readonly queue?: { readonly maxQueued: number; readonly what: string };
  /** Runs a job. If it rejects, the error is reported to the operator and the job runs again later. */
  run(job: RunningJob): Promise<JobOutcome>;
}

export interface NewJob {
  readonly kind: string;
  /** Unique within its kind, including jobs that are over. */
  readonly id: string;
  /** The id of a workspace. The job is deleted with it. */
  readonly tenant: string;
  readonly payload: JsonObject;
  /** When the job is to run, in milliseconds since the epoch; immediately if absent. */
  readonly runAt?: number;
}

/** Work that is done outside of requests, by any process that uses the store. */
export interface JobQueue {
  /**
   * Adds a job in the transaction of a larger write. The caller calls `wake` after the transaction. Throws the `GatewayError`
   * `queue-full` if the tenant has the maximum number of jobs of this kind waiting.
   */
  add(writing: Writing, job: NewJob): Promise<void>;
  /** Makes a job due now, unless a process is running it. The caller calls `wake` after the transaction. */
  makeDue(writing: Writing, job: Pick<NewJob, 'kind' | 'id'>): Promise<void>;
  register(kind: JobKind): void;
  /** Checks for jobs now. */
  wake(): void;
  /** Starts running jobs. */
  start(gateway: RunningGateway): void;
  /** Cancels the jobs that this process runs, and leaves them to other processes. */
  close(): Promise<void>;
}

/**
 * Retries `run` every second while the store is unavailable, as long as this process holds the job, so that a short outage does
 * not make the job repeat its requests to providers. Otherwise rejects as `run` does.
 */
export const retryWhileStoreUnavailable = async <Result>(
  { cancellation }: Pick<RunningJob, 'cancellation'>,
  run: () => Promise<Result>,
): Promise<Result> => {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await settledOrCancelled(setTimeout(1000), cancellation);
      if (cancellation.cancelled) throw error;
    }
  }
};
