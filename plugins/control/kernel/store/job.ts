import type { Transaction } from 'kysely';
import type { Store } from './store.ts';

/**
 * Megabytes of the nursery of a thread in which jobs run. What they make is garbage soon: with an eighth of what V8 would take,
 * a record of the log costs as much CPU time.
 */
export const jobThreadYoungMb = 6;

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

export interface JobOptions extends Omit<JobInput, 'onSuccess'> {
  /** The URL of the module. */
  readonly module: string;
}

/**
 * Runs the job that a module exports as `job`, in a transaction that `write` makes. It must be one for the tables of that
 * database, which the types of modules loaded at run time cannot say.
 */
export const runJob = async <Schema>(
  write: (run: (writing: Transaction<Schema>) => Promise<void>) => Promise<void>,
  { module, ...input }: JobOptions,
): Promise<void> => {
  const { job }: { readonly job: Job<Schema> } = await import(module);
  let runs: (() => void)[] = [];
  await write((writing) => {
    runs = [];
    return job(writing, { ...input, onSuccess: (run) => void runs.push(run) });
  });
  for (const run of runs) run();
};
