import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../../../../plugins/control/kernel/store/migrations/migrations.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
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
const [workspace, config] = [newId(1), newId(2)];

/** A row as a version before migration 23 writes it. */
const olderPolicy = (id: string, conditions: string): object => ({
  ...{ id, organisation_id: 'o', workspace_id: workspace, kind: 'rate', name: null, conditions },
  ...{ group_by: '[{"key":"api_key"}]', type: 'requests', unit: 'rpd', amount: 1, alert_at: null },
  ...{ periodic_reset: null, reset_days: null, reset_from: null, if_unknown: 'allow', status: 'active' },
  ...times,
});

const older: Readonly<Record<string, readonly object[] | string>> = {
  a: [{ key: 'workspace_id', value: 'Team' }],
  b: [{ key: 'config', value: [config.toUpperCase(), 'Team'], excludes: newId(3).toUpperCase() }],
  c: [{ key: 'model', value: config.toUpperCase() }],
  d: 'damaged',
};

it.each(['SQLite', ...(programs === undefined ? [] : ['PostgreSQL'])])(
  'the conditions that an older version has saved in %s get the ids that requests have',
  async (kind) => {
    const url = await openUrl(kind);
    const texts = Object.entries(older).map(([id, each]) => [
      id,
      typeof each === 'string' ? each : JSON.stringify(each),
    ]);
    await readMakeStore(url, 22, [
      ['organisations', { id: 'o', name: 'o', settings: '{}', ...times }],
      ['workspaces', { id: workspace, organisation_id: 'o', settings: '{}', slug: 'team', name: 'w', ...times }],
      ...texts.map(([id = '', text = '']) => ['policies', olderPolicy(id, text)] as const),
    ]);
    await readMakeStore(url, migrations.length, []);
    const { db, close } = await openTables(url);
    const rows = await db.selectFrom('policies').select(['id', 'conditions']).orderBy('id').execute();
    await close();
    const excludes = expect.stringMatching(/^[\da-f-]{36}$/);
    expect(rows.slice(0, 3).map((row) => JSON.parse(row.conditions))).toEqual([
      [{ key: 'workspace_id', value: workspace }],
      [{ key: 'config', value: [config, 'Team'], excludes }],
      older.c,
    ]);
    expect(rows.at(3)?.conditions).toBe('damaged');
  },
);
