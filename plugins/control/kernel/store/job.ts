import type { Transaction } from 'kysely';
import type { Store } from './store.ts';

/** The input of a job, besides its transaction. */
export interface JobInput {
  readonly kind: Store['kind'];
  /**
   * The bytes of the task, in a format that only the job knows. They may be in memory that threads share, so the job copies what
   * it keeps.
   */
  readonly bytes: Uint8Array;
  /** The same object for all jobs of an open database, by which a job may cache what it knows about that database. */
  readonly database: object;
  /** Calls `run` when the transaction has succeeded, but not when it is rolled back or retried. */
  readonly onSuccess: (run: () => void) => void;
}

/** Does its work in one transaction. If it rejects, the transaction is rolled back. */
export type Job<Schema> = (writing: Transaction<Schema>, input: JobInput) => Promise<void>;

/**
 * Runs the job that the module with a URL exports as `job`, in a transaction that `write` creates. The job must be one for the
 * tables of that database, which the types of modules loaded at run time cannot express.
 */
export const runJob = async <Schema>(
  write: (run: (writing: Transaction<Schema>) => Promise<void>) => Promise<void>,
  { module, ...input }: Omit<JobInput, 'onSuccess'> & { readonly module: string },
): Promise<void> => {
  const { job }: { readonly job: Job<Schema> } = await import(module);
  let runs: (() => void)[] = [];
  await write((writing) => {
    runs = [];
    return job(writing, { ...input, onSuccess: (run) => void runs.push(run) });
  });
  for (const run of runs) run();
};
