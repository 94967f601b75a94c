import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { sharedByTests } from '../../support/run/shared-by-tests.ts';
import { ask } from '../tenants/support/asking.ts';
import { headersFor } from '../tenants/support/file-and-batch.ts';
import { type Records, saveAll } from '../tenants/support/save-all.ts';
import { startTenants, type Tenant, tenantEnvironment } from '../tenants/support/tenant-world.ts';
import { type Damage, damage, listDamage } from './support/list-damage.ts';

const gatewayFile = { trusted_hosts: ['127.0.0.1'] };

/** The tenant whose rows are damaged, and a tenant of another organisation. */
interface Saved {
  readonly folder: string;
  readonly ours: Tenant;
  readonly stranger: Tenant;
  readonly ownRecords: Records;
  readonly records: Records;
  /** The ids of `ours` and of its organisation. */
  readonly ids: readonly string[];
  readonly damages: readonly Damage[];
}

const saved = sharedByTests('saved', async (whenFinished): Promise<Saved> => {
  const folder = temporaryFolder({}, whenFinished);
  const world = await startTenants(folder);
  whenFinished(async () => world[Symbol.asyncDispose]());
  const { ours, stranger, gateway } = world;
  const ownRecords = await saveAll(world, ours, 'ours');
  const records = await saveAll(world, stranger, 'other');
  gateway.signal('SIGTERM');
  await gateway.exited;
  const db = new DatabaseSync(path.join(folder, 'gateway.db'));
  const row = db.prepare('SELECT organisation_id AS organisation FROM workspaces WHERE id = ?').get(ours.id);
  const ids = [ours.id, String(row?.organisation)];
  const damages = listDamage(db, ids);
  db.close();
  return { folder, ours, stranger, ownRecords, records, ids, damages };
});

/** Starts a gateway on a copy of the store that is changed before. Undefined if the store could not be changed. */
const startChanged = async (change: (db: DatabaseSync) => boolean): Promise<GatewayProcess | undefined> => {
  const folder = temporaryFolder();
  for (const name of ['gateway.db', 'gateway-log.db'])
    copyFileSync(path.join(saved().folder, name), path.join(folder, name));
  const db = new DatabaseSync(path.join(folder, 'gateway.db'));
  const isChanged = change(db);
  db.close();
  if (!isChanged) return undefined;
  return startGateway({
    folder,
    files: { 'gateway.json': gatewayFile },
    args: ['--store', 'gateway.db'],
    env: tenantEnvironment,
  });
};

/** The answers to requests of the owner that report an internal error instead of the row that cannot be read. */
const unnamed = async (origin: string): Promise<readonly unknown[]> => {
  const { ours, ownRecords } = saved();
  const failures: unknown[] = [];
  for (const [stem, [id = '']] of Object.entries(ownRecords))
    for (const path of [stem.replace(/\/\{.*/, ''), stem.replace(/\{.*/, id)]) {
      const key = /^\/(workspaces|integrations)/.test(path) ? ours.admin : ours.key;
      const { status, text } = await ask(origin, `GET /v1${path}`, { key, headers: headersFor(path, 'ours') });
      if (status >= 500 && text.includes('internal error')) failures.push([path, status, text]);
    }
  return failures;
};

/** Whether a column gets other JSON, or invalid JSON. */
const isJson = ({ value }: Damage): boolean => ["'{'", "'null'", "'5'"].includes(value);

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };

/** The answers to a tenant for each of its records and for requests to a model, by request. */
const asTenant = async (origin: string, { key, admin }: Tenant, records: Records): Promise<object> => {
  const answers: Record<string, unknown> = {};
  for (const [stem, [id = '']] of Object.entries(records)) {
    const by = /^\/(workspaces|integrations)/.test(stem) ? admin : key;
    const list = `GET /v1${stem.replace(/\/\{.*/, '')}`;
    answers[list] = (await ask(origin, list, { key: by })).status;
    answers[stem] = (await ask(origin, `GET /v1${stem.replace(/\{.*/, id)}`, { key: by })).status;
  }
  for (const headers of [{ 'x-gw-config': 'other-config' }, { 'x-gw-virtual-key': 'other-virtual-key' }]) {
    const { status, text } = await ask(origin, 'POST /v1/chat/completions', { key, headers, body: chat });
    answers[Object.values(headers).join()] = [status, JSON.parse(text).choices];
  }
  return answers;
};

describe('rows that no gateway wrote', () => {
  it('do not affect another organisation, whichever column of whichever table is damaged', {
    timeout: 3_600_000,
  }, async () => {
    const { stranger, records, ids, damages } = saved();
    const undamaged = await startChanged(() => true);
    const expected = undamaged && (await asTenant(undamaged.origin, stranger, records));
    await undamaged?.stop();
    expect(Object.values(expected ?? {})).toContain(200);
    expect(damages.length).toBeGreaterThan(500);
    const found: unknown[] = [];
    for (const [at, each] of damages.entries()) {
      if (!isSampled(at, 0, 80)) continue;
      const title = `${each.table}.${each.column} = ${each.value}`;
      try {
        const gateway = await startChanged((db) => damage(db, each, ids));
        if (gateway === undefined) continue;
        const answers = await asTenant(gateway.origin, stranger, records);
        await gateway.stop();
        if (JSON.stringify(answers) !== JSON.stringify(expected)) found.push([title, answers]);
      } catch (error) {
        found.push([title, String(error)]);
      }
    }
    expect(found).toEqual([]);
  });

  it('are reported to their owner with advice, instead of a list without them', {
    timeout: 3_600_000,
  }, async () => {
    const { ids, damages } = saved();
    const found: unknown[] = [];
    for (const [at, each] of damages.filter(isJson).entries()) {
      if (!isSampled(at, 0, 20)) continue;
      const gateway = await startChanged((db) => damage(db, each, ids));
      if (gateway === undefined) continue;
      const failures = await unnamed(gateway.origin);
      await gateway.stop();
      if (failures.length > 0) found.push([`${each.table}.${each.column} = ${each.value}`, failures]);
    }
    expect(found).toEqual([]);
  });

  it('are named by their id in the error of a list', async () => {
    const { ours } = saved();
    let id = '';
    const gateway = await startChanged((db) => {
      id = String(db.prepare("SELECT id FROM providers WHERE slug = 'ours-provider'").get()?.id);
      return db.prepare("UPDATE providers SET settings = '{' WHERE id = ?").run(id).changes > 0;
    });
    const { status, text } = await ask(gateway?.origin ?? '', 'GET /v1/providers', { key: ours.key });
    expect([status, JSON.parse(text).error]).toEqual([
      500,
      {
        message: `The provider "${id}" in the store cannot be read. Delete it, or correct its row in the database. If a later version of the gateway wrote it, use that version.`,
        type: 'gateway_error',
        param: null,
        code: 'unreadable-record',
      },
    ]);
    expect((await ask(gateway?.origin ?? '', `DELETE /v1/providers/${id}`, { key: ours.key })).status).toBe(409);
    await gateway?.stop();
  });
});
