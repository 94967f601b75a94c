import type { Transaction } from 'kysely';
import type { Store } from './store.ts';

/** What a job is given beside its transaction. */
export interface JobInput {
  readonly kind: Store['kind'];
  /** What is to be done; only the job knows how it is written. */
  readonly text: string;
}

/** Does its work in one transaction. What it rejects with undoes it. */
export type Job<Schema> = (writing: Transaction<Schema>, input: JobInput) => Promise<void>;

/**
 * Loads the job that a module exports as `job`. It must be one for the tables that it is given, which the types of modules
 * loaded at run time cannot say.
 */
export const loadJob = async <Schema>(module: string): Promise<Job<Schema>> => {
  const loaded: { readonly job: Job<Schema> } = await import(module);
  return loaded.job;
};

/** The text of what is to be done, from its UTF-8. */
export const jobText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
