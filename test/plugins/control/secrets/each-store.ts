import path from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../support/postgres-server.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { makePostgresTables, postgresStore } from './postgres-store.ts';
import { type ClosableStore, sqliteStore } from './sqlite-store.ts';

/** Opens a test's store once more, as another process would. It is closed when the test is over. */
export type OpenStore = () => ClosableStore;

const closedAfterTest = (store: ClosableStore): ClosableStore => {
  onTestFinished(() => store.close());
  return store;
};

/** Runs tests on both databases. What they call makes a new and empty store. */
export const onEachStore = (tests: (newStore: () => Promise<OpenStore>) => void): void => {
  describe('in SQLite', () => {
    tests(async () => {
      const file = path.join(temporaryFolder(), 'gateway.db');
      return () => closedAfterTest(sqliteStore(file));
    });
  });

  const programs = postgresFolder();
  describe.skipIf(programs === undefined)('in PostgreSQL', () => {
    let server: PostgresServer;
    let stores = 0;
    beforeAll(async () => {
      server = await startPostgres(programs ?? '');
    });
    afterAll(() => server.stop());
    tests(async () => {
      stores += 1;
      const schema = `store_${stores}`;
      await makePostgresTables(server.url, schema);
      return () => closedAfterTest(postgresStore(server.url, schema));
    });
  });
};
