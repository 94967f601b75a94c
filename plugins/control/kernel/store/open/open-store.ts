import type { Store } from '../store.ts';
import { readStoreUrl } from '../store-url.ts';

export interface OpenStoreOptions {
  /** A path, `sqlite:path` or `postgres://…`. */
  readonly url: string;
  /**
   * Whether this process serves. Of an SQLite file one process serves, and others may open it beside that, such as commands
   * that make a key or a backup.
   */
  readonly serving?: boolean;
  /** As long as PostgreSQL is waited for, in milliseconds. */
  readonly timeouts?: { readonly connect?: number; readonly statement?: number };
}

/**
 * Opens a store, makes its tables where they are not there yet, and brings older ones up to date.
 *
 * @throws StoreError
 */
export const openStore = async (options: OpenStoreOptions): Promise<Store> => {
  const { url, serving = true, timeouts = {} } = options;
  const at = readStoreUrl(url);
  if (at.kind === 'sqlite') {
    const { openSqlite } = await import('../sqlite/open-sqlite.ts');
    return openSqlite({ file: at.file, serving });
  }
  const { openPostgres } = await import('../postgres/open-postgres.ts');
  return openPostgres({ url: at.url, where: at.where, timeouts });
};
