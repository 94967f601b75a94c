import type { Transaction } from 'kysely';
import type { Store } from './store.ts';

/** The input of a job beside its transaction. */
export interface JobInput {
  readonly kind: Store['kind'];
  /**
   * The bytes of the task; only the job knows how it is written. They may be in memory that threads share, so it copies
   * what it keeps.
   */
  readonly bytes: Uint8Array;
  /** The same object for all jobs of a database that is open, by which a job may remember what it knows of that. */
  readonly database: object;
  /** Calls back when the transaction has succeeded; not where it is undone, and run again. */
  readonly onSuccess: (run: () => void) => void;
}

/** Does its work in one transaction. What it rejects with undoes it. */
export type Job<Schema> = (writing: Transaction<Schema>, input: JobInput) => Promise<void>;

/**
 * Runs the job that the module with a URL exports as `job`, in a transaction that `write` makes. It must be one for the tables of that
 * database, which the types of modules loaded at run time cannot say.
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
