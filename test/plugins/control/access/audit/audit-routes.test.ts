import { expect, it, vi } from 'vitest';
import { AuditLog, audited } from '../../../../../plugins/control/access/audit/audit-log.ts';
import { auditRoutes } from '../../../../../plugins/control/access/audit/audit-routes.ts';
import { keyRoutes } from '../../../../../plugins/control/access/keys/key-routes.ts';
import type { ControlParts } from '../../../../../plugins/control/kernel/resource/control-parts.ts';
import { StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { type ControlWorld, controlWorld } from '../../support/control-world.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';

const auditWorld = (): Promise<ControlWorld> => {
  const routes = (parts: ControlParts) => [
    ...audited(keyRoutes(parts), new AuditLog({ store: parts.store, clock: jumpingClock(0), say: () => {} })),
    ...auditRoutes(parts),
  ];
  return controlWorld({ routes });
};

const listed = async (world: ControlWorld, query = '', key = world.adminKey): Promise<readonly object[]> =>
  (await world.ask(`/audit-logs${query}`, { key })).body.data;

it('the audit log records each change with its actor, including refused changes, but no reads', async () => {
  await using world = await auditWorld();
  const { body: made } = await world.ask('/api-keys/workspace/service', {
    json: { name: 'secret-name', scopes: ['audit_logs.list', 'keys.list'] },
  });
  await world.ask(`/api-keys/${made.id}`, { method: 'PUT', json: { scopes: ['no.scope'] } });
  await world.ask('/api-keys');
  const admin = world.admin.keyId;
  await expect
    .poll(() => listed(world))
    .toMatchObject([
      { method: 'PUT', uri: `/v1/api-keys/${made.id}`, actor: admin, action: 'update', status: 400 },
      {
        ...{ object: 'audit-log', method: 'POST', uri: '/v1/api-keys/workspace/service', actor: admin },
        ...{ resource_type: 'keys', action: 'create', status: 200, client_ip: '127.0.0.1' },
        detail: { operation: expect.any(String), trace: expect.any(String) },
      },
    ]);
  expect(await listed(world, '?action=create&resource_type=keys')).toHaveLength(1);
  expect(await listed(world, '?action=delete')).toEqual([]);
  expect(JSON.stringify(await listed(world))).not.toContain('secret-name');
});

it('the audit log keeps no credential that somebody has sent in a path', async () => {
  await using world = await auditWorld();
  const secrets = [`sk-proj-${'x1Y2'.repeat(12)}`, `sk-ant-api03-${'A-b_'.repeat(12)}`];
  for (const secret of secrets) await world.ask(`/api-keys/${secret}`, { method: 'DELETE' });
  await world.ask(`/api-keys/${secrets[0]}%2F/rotate`, { json: {} });
  await expect
    .poll(async () => (await listed(world)).map((each) => (each as { readonly uri: string }).uri))
    .toEqual(['/v1/api-keys/•••%2F/rotate', '/v1/api-keys/•••', '/v1/api-keys/•••']);
});

it('a workspace key sees only the audit records of its own workspace', async () => {
  await using world = await auditWorld();
  const { store, keys, admin, addWorkspace } = world;
  const other = await addWorkspace('other');
  const { key } = await keys.create(admin, {
    name: 'k',
    scopes: ['audit_logs.list', 'keys.create'],
    workspace_id: other,
  });
  await world.ask('/api-keys/workspace/service', { json: { name: 'here', scopes: [] } });
  await world.ask('/api-keys/workspace/service', { key, json: { name: 'there', scopes: [] } });
  expect(await listed(world)).toHaveLength(2);
  expect(await listed(world, '', key)).toMatchObject([{ workspace_id: other }]);
  expect(store.kind).toBe('sqlite');
});

it('a change by an organisation key is recorded in the workspace where it was made', async () => {
  await using world = await auditWorld();
  const { keys, admin, addWorkspace } = world;
  const other = await addWorkspace('other');
  const { key } = await keys.create(admin, { name: 'k', scopes: ['audit_logs.list'], workspace_id: other });
  const { body: made } = await world.ask('/api-keys/workspace/service', {
    json: { name: 'there', scopes: [], workspace_id: 'other' },
  });
  await world.ask(`/api-keys/${made.id}`, { method: 'PUT', json: { name: 'renamed' } });
  await world.ask(`/api-keys/${made.id}`, { method: 'DELETE' });
  await world.ask('/api-keys/workspace/service', { json: { name: 'here', scopes: [] } });
  expect(await listed(world, '', key)).toMatchObject([
    { action: 'delete', actor: admin.keyId, workspace_id: other },
    { action: 'update', workspace_id: other },
    { action: 'create', workspace_id: other },
  ]);
  expect(await listed(world)).toMatchObject([{ action: 'create', workspace_id: admin.workspace }, {}, {}, {}]);
});

it('warns the operator once while the audit log cannot be written, and then reports how many records it lacks', async () => {
  await using world = await auditWorld();
  const said: string[] = [];
  let isUnavailable = true;
  const log = new AuditLog({
    clock: jumpingClock(0),
    say: (text) => void said.push(text),
    store: {
      ...world.store,
      write: (run) =>
        isUnavailable ? Promise.reject(new StoreError('The store is unavailable.')) : world.store.write(run),
    },
  });
  const record = {
    ...{ id: 'a', at: 1, organisation: 'o', method: 'PUT', uri: '/v1/x', actor: 'k', resourceType: 'x' },
    ...{ action: 'update', status: 200 },
  };
  await log.write(record);
  await log.write({ ...record, id: 'b' });
  isUnavailable = false;
  expect(await log.write({ ...record, id: 'c' })).toBe(true);
  expect(await log.write({ ...record, id: 'c' })).toBe(false);
  expect(said).toEqual([
    'gw: The audit log cannot be written: The store is unavailable.\n',
    'gw: The audit log is written again. It lacks 2 records.\n',
  ]);
});

it('says how many refused requests the audit log lacks if the store is unavailable', async () => {
  await using world = await auditWorld();
  const said: string[] = [];
  const log = new AuditLog({
    clock: jumpingClock(0),
    say: (text) => void said.push(text),
    store: { ...world.store, write: () => Promise.reject(new StoreError('The store is unavailable.')) },
  });
  vi.spyOn(world.store.db, 'selectFrom').mockImplementation(() => {
    throw new StoreError('The store is unavailable.');
  });
  const refused = { address: '10.0.0.1', at: 1 };
  for (let times = 0; times < 3; times += 1) log.refusals.note(refused);
  await log.close();
  vi.restoreAllMocks();
  expect(said).toEqual([
    'gw: The audit log lacks 1 request whose service key was refused: The store is unavailable.\n',
    'gw: The audit log lacks 2 requests whose service keys were refused: The store is unavailable.\n',
  ]);
});

it('deletes expired audit records, and no others, every hour until the log is closed', async () => {
  await using world = await auditWorld();
  const [day, now] = [86_400_000, Date.UTC(2026, 10, 20)];
  const clock = jumpingClock(now);
  const log = new AuditLog({ store: world.store, clock, say: () => {}, keepDays: 2 });
  const record = {
    ...{ organisation: world.admin.organisation ?? '', workspace: world.admin.workspace ?? '', method: 'PUT' },
    ...{ uri: '/v1/x', actor: 'k', resourceType: 'x', action: 'update', status: 200 },
  };
  const write = (id: string, at: number) => log.write({ ...record, id, at });
  const ids = async () => (await listed(world)).map((each) => ('id' in each ? each.id : undefined));
  for (let at = 0; at < 600; at += 1) await write(`old-${at}`, now - 3 * day + at);
  await write('kept', now - 2 * day + 2 * 3_600_000);
  await write('new', now);
  clock.advance(3_600_000);
  await expect.poll(ids).toEqual(['new', 'kept']);
  // The next hour starts only after everything that is due in this one has been deleted.
  await expect
    .poll(() => {
      clock.advance(3_600_001);
      return ids();
    })
    .toEqual(['new']);
  await log.close();
  clock.advance(4 * day);
  expect(await ids()).toEqual(['new']);
});
