import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../../../../plugins/control/kernel/store/migrations/migrations.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { openTables, readMakeStore } from '../../../../support/gateways/older-store.ts';
import { postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';

const programs = postgresFolder();

const openUrl = async (kind: string): Promise<string> => {
  if (kind === 'SQLite') return path.join(temporaryFolder(), 'gateway.db');
  const server = await startPostgres(programs ?? '');
  onTestFinished(() => server.stop());
  return server.url;
};

const times = { created_at: 1, updated_at: 1 };
const workspace = { workspace_id: 'w' };
/** A row as a version before migration 21 writes it. */
const olderBatch = (id: string): object => ({
  ...{ ...workspace, remote_id: id, input_file_id: 'file', endpoint: '/v1/embeddings', completion_window: '24h' },
  ...{ metadata: null, is_collected: 0, output_file_id: null, error_file_id: null, created_at: 1 },
});

const migrated = async (kind: string): Promise<string> => {
  const url = await openUrl(kind);
  await readMakeStore(url, 20, [
    ['organisations', { id: 'o', name: 'o', settings: '{}', ...times }],
    ['workspaces', { id: 'w', organisation_id: 'o', settings: '{}', slug: 'w', name: 'w', ...times }],
    ['remote_ids', { ...workspace, kind: 'batch', remote_id: 'known', slug: 'main', uses: null, created_at: 1 }],
    ['provider_batches', olderBatch('known')],
    ['provider_batches', olderBatch('unknown')],
  ]);
  await readMakeStore(url, migrations.length, []);
  return url;
};

const readSlugs = async (url: string): Promise<readonly string[]> => {
  const { db, close } = await openTables(url);
  const rows = await db.selectFrom('provider_batches').select(['remote_id', 'slug']).orderBy('remote_id').execute();
  await close();
  return rows.map(({ remote_id: id, slug }) => `${id}@${slug}`);
};

it.each(['SQLite', ...(programs === undefined ? [] : ['PostgreSQL'])])(
  'the batches of an older version in %s get the accounts in which they were created',
  async (kind) => {
    expect(await readSlugs(await migrated(kind))).toEqual(['known@main', 'unknown@']);
  },
);

it.runIf(programs !== undefined)(
  'a process of an older version that still serves PostgreSQL can record batches',
  async () => {
    const url = await migrated('PostgreSQL');
    await readMakeStore(url, migrations.length, [['provider_batches', olderBatch('later')]]);
    expect(await readSlugs(url)).toContain('later@');
  },
);
