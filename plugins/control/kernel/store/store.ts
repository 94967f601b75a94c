import type { Kysely, Transaction } from 'kysely';
import type { Feed, FollowedFeed, Tables } from './tables.ts';

/** A transaction of the store. */
export type Writing = Transaction<Tables>;

/** The storage of the control plane. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** For reads. */
  readonly db: Kysely<Tables>;
  /**
   * Writes in one transaction, as if no other ran at the same time. It may run more than once if another transaction interfered.
   * If `run` rejects, the transaction is rolled back. Rejects with a `StoreError` if the store cannot be reached.
   */
  write<Result>(run: (writing: Writing) => Promise<Result>): Promise<Result>;
  /**
   * Runs a job, which a module exports as `job`, with these bytes in one transaction. If the database is a file, the job runs in
   * the thread that has it open, so that this thread stays free. The bytes must not change until the promise settles.
   */
  perform(job: URL, bytes: Uint8Array): Promise<void>;
  /**
   * Increments the version of a feed, in the transaction of the change. For 'plans' and 'policies', `tenant` is the id of the
   * workspace or organisation that changed. Without it, processes read the records of all tenants again.
   */
  bump(writing: Writing, feed: Feed, tenant?: string): Promise<void>;
  /** Returns the versions of all followed feeds. Rejects with a `StoreError` if the store cannot be reached. */
  versions(): Promise<Readonly<Record<FollowedFeed, number>>>;
  /**
   * Calls `run` soon after another process has changed something, if the database can notify. Returns a function that stops it.
   */
  watch(run: () => void): () => void;
  /** Writes a copy to a new file, without the keys that secrets are sealed with. */
  backup(file: string): Promise<void>;
  /** Resolves to whether this process, among the workers that share the store, deletes old records. If absent, it does. */
  leads?: (() => Promise<boolean>) | undefined;
  close(): Promise<void>;
}

/**
 * What is done with a store of an earlier version. `upgrade` brings it up to date. `refuse` throws, so that the version that
 * serves it can start again. Both create the tables of an empty database. `keep` changes nothing, and throws if there are none.
 */
export type OlderStore = 'upgrade' | 'refuse' | 'keep';

/** Thrown if the store cannot be opened or reached. The message is a sentence or two: the problem, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Thrown if the log of requests cannot be opened, independently of the store itself. */
export class LogError extends StoreError {}
