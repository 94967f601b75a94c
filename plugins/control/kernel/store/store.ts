import type { Kysely, Transaction } from 'kysely';
import type { Feed, FollowedFeed, Tables } from './tables.ts';

/** A transaction of the store. */
export type Writing = Transaction<Tables>;

/** Where the control plane keeps what it knows. */
export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  /** For reading. */
  readonly db: Kysely<Tables>;
  /**
   * Writes in one transaction, as if no other ran beside it; it may be run again where another one got in its way. What it
   * rejects with undoes it. Rejects with a `StoreError` where the store cannot be reached.
   */
  write<Result>(run: (writing: Writing) => Promise<Result>): Promise<Result>;
  /**
   * Runs a job, which a module exports as `job`, with these bytes in one transaction: where the database is a file, in the
   * thread that has it open, so that this one does nothing meanwhile. Until it resolves or rejects, nobody may change them.
   */
  perform(job: URL, bytes: Uint8Array): Promise<void>;
  /**
   * Increments the version of a feed, in the transaction of the change. For 'plans' and 'policies', `tenant` is the id of
   * the workspace or organisation that changed; without it, processes read the records of all tenants again.
   */
  bump(writing: Writing, feed: Feed, tenant?: string): Promise<void>;
  /** The versions of all feeds that are followed. Rejects with a `StoreError` where the store cannot be reached. */
  versions(): Promise<Readonly<Record<FollowedFeed, number>>>;
  /** Calls back soon after another process changed something, where the database can notify. Returns a function that stops it. */
  watch(run: () => void): () => void;
  /** Writes a copy to a file that does not exist yet, without the keys that secrets are sealed with. */
  backup(file: string): Promise<void>;
  /**
   * Resolves with whether this process is the one, of several workers that share the store, which deletes what is old; absent:
   * it does.
   */
  leads?: (() => Promise<boolean>) | undefined;
  close(): Promise<void>;
}

/** The store cannot be opened or reached; the message is a sentence or two: what is the case, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** The log of requests cannot be opened, whatever the store itself does. */
export class LogError extends StoreError {}
