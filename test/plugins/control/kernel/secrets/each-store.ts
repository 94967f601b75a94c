import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/postgres-server.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** Opens a test's store once more, as another process would. It is closed when the test is over. */
export type OpenAgain = () => Promise<Store>;

const opening =
  (url: string): OpenAgain =>
  async () => {
    const store = await openStore({ url, serving: false });
    onTestFinished(() => store.close());
    return store;
  };

/** A new and empty store in a file of this folder. */
export const newSqliteStore = (folder: string = temporaryFolder()): OpenAgain =>
  opening(path.join(folder, 'gateway.db'));

let schemas = 0;

const newPostgresStore = async (url: string): Promise<OpenAgain> => {
  schemas += 1;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create schema store_${schemas}`);
  await client.end();
  return opening(`${url}?options=-csearch_path%3Dstore_${schemas}`);
};

/** Runs tests on both databases. What they call makes a new and empty store. */
export const onEachStore = (tests: (newStore: () => Promise<OpenAgain>) => void): void => {
  describe('in SQLite', () => tests(async () => newSqliteStore()));

  const programs = postgresFolder();
  describe.skipIf(programs === undefined)('in PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(programs ?? '');
    });
    afterAll(() => server.stop());
    tests(() => newPostgresStore(server.url));
  });
};
