import path from 'node:path';
import { onTestFinished } from 'vitest';
import { postgresFolder, startPostgres } from '../../../support/postgres-server.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { postgresStore } from './postgres-store.ts';
import { type ClosableStore, sqliteStore } from './sqlite-store.ts';

/** Opens the store of a test once more, as another process would. */
export type OpenStore = () => Promise<ClosableStore>;

const closedAfterTest = <Opened extends ClosableStore>(store: Opened): Opened => {
  onTestFinished(() => store.close());
  return store;
};

/** A new and empty store in a file. */
export const sqliteStores = (): OpenStore => {
  const file = path.join(temporaryFolder(), 'gateway.db');
  return async () => closedAfterTest(sqliteStore(file));
};

let schemas = 0;

/** A new and empty store in a PostgreSQL. */
export const postgresStores = (url: string): OpenStore => {
  schemas += 1;
  const schema = `store_${schemas}`;
  return async () => closedAfterTest(await postgresStore(url, schema));
};

export const postgres: string | undefined = postgresFolder();
export { startPostgres };
