import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { LogStore } from '../../../../../plugins/control/logs/writer/log-store.ts';
import { openLogStore } from '../../../../../plugins/control/logs/writer/open-log-store.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';
import { standingThread } from '../../support/standing-thread.ts';

/** An open log and its location. */
export interface OpenLog {
  readonly store: LogStore;
  readonly url: string;
  readonly postgres?: PostgresServer;
}

/** Runs the tests on a log in PostgreSQL if that is installed. */
export const describePostgresLog = (name: string, tests: (log: () => OpenLog) => void): void => {
  const programs = postgresFolder();
  describe.runIf(programs !== undefined)(`${name}, in PostgreSQL`, () => {
    let [store, postgres]: [LogStore?, PostgresServer?] = [];
    beforeAll(async () => {
      postgres = await startPostgres(programs ?? '');
      store = await openLogStore(postgres.url);
    });
    afterAll(async () => {
      await store?.close();
      await postgres?.stop();
    });
    tests(() => {
      if (store === undefined || postgres === undefined) throw new Error('PostgreSQL did not start.');
      return { store, url: postgres.url, postgres };
    });
  });
};

/** Runs the tests on a log in a file, and on one in PostgreSQL if that is installed. */
export const describeLogs = (name: string, tests: (log: () => OpenLog) => void): void => {
  describe(`${name}, in an SQLite file`, () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gw-log-'));
    const url = path.join(folder, 'gateway.db');
    let store: LogStore;
    beforeAll(async () => {
      store = await openLogStore(url, { thread: standingThread(url) });
    });
    afterAll(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });
    tests(() => ({ store, url }));
  });
  describePostgresLog(name, tests);
};
