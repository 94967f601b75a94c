import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../../plugins/control/kernel/store/migrations/migrations.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { makeNewer, makeOlderStore, readMigrations } from '../../support/gateways/older-store.ts';
import { adminKey, chat, control, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const programs = postgresFolder();

const newStore = async (kind: string): Promise<string> => {
  if (kind === 'SQLite') return path.join(temporaryFolder(), 'gateway.db');
  const server = await startPostgres(programs ?? '');
  onTestFinished(() => server.stop());
  return server.url;
};

const databases = ['SQLite', ...(programs === undefined ? [] : ['PostgreSQL'])];

describe.each(databases)('a store in %s', (kind) => {
  it('of an older program is upgraded, which is reported, and its content is served', async () => {
    const store = await newStore(kind);
    await makeOlderStore(store, adminKey);
    const gateway = await serveStore(store);
    expect(gateway.printed()).toContain(`up to date, from migration 1 to ${migrations.length}.\n`);
    expect(await readMigrations(store)).toEqual(migrations.map(({ number }) => number));
    expect((await chat(gateway, { key: adminKey, config: 'old' })).status).toBe(200);
    await control(gateway, 'POST /prompts/old/render', { body: { variables: { who: 'Ann' } } });
    const { key } = await makeKey(gateway, 'new');
    await control(gateway, 'PUT /configs/old', { body: { config: { provider: '@old', retry: { attempts: 1 } } } });
    expect((await chat(gateway, { key, config: 'old' })).status).toBe(200);
  });

  it('of a newer program is rejected with a message, and stays unchanged', async () => {
    const store = await newStore(kind);
    await makeOlderStore(store, adminKey);
    const gateway = await serveStore(store);
    await gateway.stop();
    await makeNewer(store);
    const refused = serveStore(store);
    await expect(refused).rejects.toThrow(
      /gw: The store \S+ was written by a newer version of this program \(migration \d+; this one knows \d+\)\. Start that version, or restore an earlier backup\.\n$/,
    );
    await expect(refused).rejects.not.toThrow(/\n {4}at /);
    expect(await readMigrations(store)).toEqual([...migrations.map(({ number }) => number), migrations.length + 1]);
  });
});
