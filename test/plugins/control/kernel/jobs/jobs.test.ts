import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/postgres-server.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { openFile } from '../../support/temporary-store.ts';
import { testJobs } from './job-contract.ts';

const programs = postgresFolder();

describe('jobs in a file of SQLite', () => {
  testJobs(() => openFile(`${temporaryFolder()}/gateway.db`));
});

describe.runIf(programs !== undefined)('jobs in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterAll(() => server.stop());

  testJobs(() => openStore({ url: server.url }));
});
