import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';
import { type TemporaryStore, temporaryStore } from '../../support/temporary-store.ts';
import { testUsage } from './usage-contract.ts';

describe('usage reports of a ledger in an SQLite file', () => {
  let temporary: TemporaryStore;
  beforeAll(async () => {
    temporary = await temporaryStore();
  });
  afterAll(() => temporary[Symbol.asyncDispose]());
  testUsage(async () => temporary.store);
});

const programs = postgresFolder();

describe.runIf(programs !== undefined)('usage reports of a ledger in PostgreSQL', () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
    store = await openStore({ url: server.url });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });
  testUsage(async () => store);
});
