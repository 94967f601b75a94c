import path from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';
import { openFile } from '../../support/temporary-store.ts';
import { type PostgresSchemas, postgresSchemas } from './postgres-schemas.ts';

/** Opens a test's store once more, as another process would. The store is closed when the test ends. */
export type OpenAgain = () => Promise<Store>;

const opening =
  (open: () => Promise<Store>): OpenAgain =>
  async () => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };

/** Returns a function that opens a new, empty store in a file of this folder. */
export const newSqliteStore = (folder: string = temporaryFolder()): OpenAgain =>
  opening(() => openFile(path.join(folder, 'gateway.db'), false));

const newPostgresStore = async (schemas: PostgresSchemas): Promise<OpenAgain> => {
  const url = await schemas.take();
  // This runs after the store is closed, because the hooks of a finished test run in reverse order.
  onTestFinished(() => schemas.giveBack(url));
  return opening(() => openStore({ url, serving: false }));
};

/** Runs tests on both databases. `newStore` creates a new, empty store. */
export const onEachStore = (tests: (newStore: () => Promise<OpenAgain>) => void): void => {
  describe('in SQLite', () => tests(async () => newSqliteStore()));

  const programs = postgresFolder();
  describe.skipIf(programs === undefined)('in PostgreSQL', () => {
    let server: PostgresServer;
    let schemas: PostgresSchemas;
    beforeAll(async () => {
      server = await startPostgres(programs ?? '');
      schemas = await postgresSchemas(server.url);
    });
    afterAll(async () => {
      await schemas.end();
      await server.stop();
    });
    tests(() => newPostgresStore(schemas));
  });
};
