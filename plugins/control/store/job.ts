import type { Transaction } from 'kysely';
import type { Store } from './store.ts';

/** What a job is given beside its transaction. */
export interface JobInput {
  readonly kind: Store['kind'];
  /** What is to be done; only the job knows how it is written. They may be in memory that threads share, so it copies what it keeps. */
  readonly bytes: Uint8Array;
}

/** Does its work in one transaction. What it rejects with undoes it. */
export type Job<Schema> = (writing: Transaction<Schema>, input: JobInput) => Promise<void>;

export interface JobOptions {
  /** The URL of the module. */
  readonly module: string;
  readonly kind: Store['kind'];
  readonly bytes: Uint8Array;
}

/**
 * Runs the job that a module exports as `job`, in a transaction that `write` makes. It must be one for the tables of that
 * database, which the types of modules loaded at run time cannot say.
 */
export const runJob = async <Schema>(
  write: (run: (writing: Transaction<Schema>) => Promise<void>) => Promise<void>,
  { module, kind, bytes }: JobOptions,
): Promise<void> => {
  const { job }: { readonly job: Job<Schema> } = await import(module);
  await write((writing) => job(writing, { kind, bytes }));
};
