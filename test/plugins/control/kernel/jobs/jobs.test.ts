import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';
import { openFile } from '../../support/temporary-store.ts';
import { testJobs } from './job-contract.ts';

const programs = postgresFolder();

describe('a job queue in an SQLite file', () => {
  testJobs(() => openFile(`${temporaryFolder()}/gateway.db`));
});

describe.runIf(programs !== undefined)('a job queue in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterAll(() => server.stop());

  testJobs(() => openStore({ url: server.url }));
});
