import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogStore } from '../../../../plugins/control/logs/store/log-store.ts';
import { openLogStore } from '../../../../plugins/control/logs/store/open-log-store.ts';
import { StoreError } from '../../../../plugins/control/store/store.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../support/postgres-server.ts';

const programs = postgresFolder();
const exitingJob = new URL('../store/exiting-job.ts', import.meta.url);
const threadJob = new URL('../store/thread-job.ts', import.meta.url);

describe.runIf(programs !== undefined)('jobs of a log in PostgreSQL', () => {
  let [store, postgres]: [LogStore?, PostgresServer?] = [];
  beforeAll(async () => {
    postgres = await startPostgres(programs ?? '');
    store = await openLogStore(postgres.url);
  });
  afterAll(async () => {
    await store?.close();
    await postgres?.stop();
  });

  it('run in a thread of their own, and in another one where that ends', async () => {
    await expect(store?.perform(exitingJob, new Uint8Array())).rejects.toThrow(StoreError);
    await expect(store?.perform(threadJob, Buffer.from(String(process.pid)))).resolves.toBeUndefined();
  });
});
