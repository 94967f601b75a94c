import path from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';

const programs = postgresFolder();

/** Creates a new store in each database, which exists until the test ends, and returns its URL. */
export const urls = {
  SQLite: async (): Promise<string> => path.join(temporaryFolder(), 'gateway.db'),
  PostgreSQL: async (): Promise<string> => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    return server.url;
  },
};

/** The databases to test. PostgreSQL is included if it is installed. */
export const databases: readonly (keyof typeof urls)[] = programs === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL'];
