import { describe, expect, it } from 'vitest';
import { keyRoutes } from '../../../../../plugins/control/access/keys/key-routes.ts';
import type { AllParts } from '../../../../../plugins/control/control-routes.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import { FollowedPolicies } from '../../../../../plugins/control/metering/policies/create-policy-view.ts';
import { insertPolicy, replacePolicy } from '../../../../../plugins/control/metering/policies/policy-service.ts';
import { validateUsage } from '../../../../../plugins/control/metering/policies/validate-policy.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { type ControlWorld, controlWorld } from '../../support/control-world.ts';
import { describedRoutes } from '../../support/described-routes.ts';
import { bucket, type FilledCounters, filledCounters, toProblems, usage } from './support.ts';

interface LimitWorld extends ControlWorld {
  readonly counters: FilledCounters;
  readonly view: FollowedPolicies;
  /** Reads the limits that are now in force in the workspace `default`. */
  limits(): Promise<readonly object[]>;
}

const limitWorld = async (): Promise<LimitWorld> => {
  const counters = filledCounters();
  const world = await controlWorld({
    routes: (parts) => {
      const all: AllParts = { ...parts, counters };
      return [keyRoutes, describedRoutes].flatMap((routes) => routes(all));
    },
  });
  const view = new FollowedPolicies({ store: world.store, clock: systemClock, say: () => {} });
  await view.start();
  return {
    ...world,
    ...{ counters, view },
    async limits() {
      await view.lookNow();
      return view.findPolicies(world.admin.tenant, world.admin.organisation);
    },
    async [Symbol.asyncDispose]() {
      view.close();
      await world[Symbol.asyncDispose]();
    },
  };
};

const rate_limits = [
  { type: 'requests', unit: 'rps', value: 1 },
  { type: 'requests', unit: 'rpm', value: 0 },
  { type: 'tokens', unit: 'rph', value: 10 },
  { type: 'tokens', unit: 'rpd', value: 100 },
  { type: 'requests', unit: 'rpw', value: 1000 },
] as const;
const usage_limits = { credit_limit: 0.5, type: 'cost', alert_threshold: 0.25, periodic_reset: 'weekly' } as const;

/** 1 February 2026 was a Sunday. */
const shown = { ...usage_limits, periodic_reset_days: null, next_usage_reset_at: Date.UTC(2026, 1, 1) / 1000 };

interface Made {
  readonly path: string;
  readonly id: string;
}

/** How each kind of record with limits is created, and what its limits are called. */
const kinds: Readonly<
  Record<
    string,
    { make(world: LimitWorld, limits: object): Promise<Made>; name: string; conditions(made: Made): object }
  >
> = {
  'a key': {
    name: 'key app',
    async make(world, limits) {
      const json = { name: 'app', scopes: [], workspace_id: 'default', ...limits };
      const { id } = (await world.ask('/api-keys/workspace/service', { json })).body;
      return { path: `/api-keys/${id}`, id };
    },
    conditions: ({ id }) => [{ key: 'api_key', values: [id], excludes: [] }],
  },
  'a key of the organisation': {
    name: 'key app',
    async make(world, limits) {
      const json = { name: 'app', scopes: [], ...limits };
      const { id } = (await world.ask('/api-keys/organisation/service', { json })).body;
      return { path: `/api-keys/${id}`, id };
    },
    conditions: ({ id }) => [{ key: 'api_key', values: [id], excludes: [] }],
  },
  'a provider': {
    name: 'provider main',
    async make(world, limits) {
      const json = { name: 'Main', slug: 'main', provider: 'echo', ...limits };
      const { id } = (await world.ask('/providers', { json })).body.data;
      return { path: '/providers/main', id };
    },
    conditions: () => [{ key: 'virtual_key', values: ['main'], excludes: [] }],
  },
  'a virtual key': {
    name: 'virtual key vk',
    async make(world, limits) {
      const json = { name: 'VK', slug: 'vk', provider: 'echo', ...limits };
      const { id } = (await world.ask('/virtual-keys', { json })).body.data;
      return { path: '/virtual-keys/vk', id };
    },
    conditions: () => [{ key: 'virtual_key', values: ['vk'], excludes: [] }],
  },
};

describe.each(Object.entries(kinds))('the limits of %s', (_kind, { make, name, conditions }) => {
  it('take effect and are shown as they are created and changed, and can be removed', async () => {
    await using world = await limitWorld();
    const made = await make(world, { rate_limits, usage_limits });
    const read = async () => (await world.ask(made.path)).body;
    const put = async (json: object) => toProblems(await world.ask(made.path, { method: 'PUT', json }));
    expect(await read()).toMatchObject({ rate_limits, usage_limits: shown, status: 'active' });
    const every = { rps: 'second', rpm: 'minute', rph: 'hour', rpd: 'day', rpw: 'sunday' } as const;
    const common = { name, conditions: conditions(made), groupBy: [], ifUnknown: 'allow' };
    expect(await world.limits()).toEqual([
      {
        ...{ id: `${made.id}/usage/cost`, kind: 'usage', unit: 'nanoUsd', limit: 500_000_000, alertAt: 250_000_000 },
        ...{ ...common, reset: { every: 'sunday' } },
      },
      ...rate_limits.map(({ type, unit, value }) => ({
        ...{ id: `${made.id}/${type}/${unit}`, kind: 'rate', unit: type, limit: value, reset: { every: every[unit] } },
        ...common,
      })),
    ]);
    const before = await world.limits();
    expect(await world.limits()).toBe(before);
    expect(await put({ rate_limits: null })).toEqual([200]);
    expect(await read()).toMatchObject({ rate_limits: [], usage_limits: shown });
    // What was read can be sent again.
    expect(await put({ usage_limits: (await read()).usage_limits })).toEqual([200]);
    expect(await read()).toMatchObject({ usage_limits: shown });
    const days = { type: 'tokens', credit_limit: 100, periodic_reset_days: 30 };
    const next_usage_reset_at = Date.UTC(2026, 5, 1) / 1000;
    expect(await put({ usage_limits: { ...days, next_usage_reset_at } })).toEqual([200]);
    const first = (next_usage_reset_at - 4 * 30 * 86_400) * 1000;
    expect(await read()).toMatchObject({ usage_limits: { ...days, next_usage_reset_at: first / 1000 } });
    expect(await put({ usage_limits: { ...days, credit_limit: 200 } })).toEqual([200]);
    const [{ id, reset }] = (await world.limits()) as [{ id: string; reset: object }];
    expect({ id, reset }).toEqual({
      id: `${made.id}/usage/tokens`,
      reset: { every: 'days', days: 30, from: first - 30 * 86_400_000 },
    });
    expect(await put({ usage_limits: null })).toEqual([200]);
    expect(await read()).toMatchObject({ rate_limits: [], usage_limits: null });
    expect(await world.limits()).toEqual([]);
  });

  it('are validated by the rules of policies, with errors that point to their place', async () => {
    await using world = await limitWorld();
    const { path } = await make(world, {});
    expect(await world.limits()).toEqual([]);
    const put = async (json: object) => toProblems(await world.ask(path, { method: 'PUT', json }));
    const rate = { type: 'tokens', unit: 'rpm', value: 1 };
    const usage = { type: 'tokens', credit_limit: 10 };
    const wrong: readonly (readonly [object, string])[] = [
      [{ rate_limits: [{ ...rate, unit: 'rpy' }] }, '/rate_limits/0/unit'],
      [{ rate_limits: [{ ...rate, type: 'cost' }] }, '/rate_limits/0/type'],
      [{ rate_limits: [{ ...rate, value: -1 }] }, '/rate_limits/0/value'],
      [{ rate_limits: [rate, { ...rate, unit: 'rph', value: 0.5 }] }, '/rate_limits/1/value'],
      [{ rate_limits: [rate, rate] }, '/rate_limits/1'],
      [{ rate_limits: [{ type: 'tokens', unit: 'rpm' }] }, '/rate_limits/0'],
      [{ usage_limits: { ...usage, credit_limit: -1 } }, '/usage_limits/credit_limit'],
      [{ usage_limits: { ...usage, credit_limit: 1.5 } }, '/usage_limits/credit_limit'],
      [{ usage_limits: { ...usage, type: 'requests' } }, '/usage_limits/type'],
      [{ usage_limits: { ...usage, alert_threshold: 10 } }, '/usage_limits/alert_threshold'],
      [{ usage_limits: { ...usage, periodic_reset: 'daily' } }, '/usage_limits/periodic_reset'],
      [{ usage_limits: { ...usage, periodic_reset_days: 366 } }, '/usage_limits/periodic_reset_days'],
      [
        { usage_limits: { ...usage, periodic_reset: 'weekly', periodic_reset_days: 7 } },
        '/usage_limits/periodic_reset_days',
      ],
      [{ usage_limits: { ...usage, next_usage_reset_at: 1_800_000_000 } }, '/usage_limits/next_usage_reset_at'],
      [
        { usage_limits: { ...usage, periodic_reset: 'weekly', next_usage_reset_at: 1_800_000_001 } },
        '/usage_limits/next_usage_reset_at',
      ],
      [{ usage_limits: { ...usage, next_reset: 1 } }, '/usage_limits/next_reset'],
      [{ usage_limits: { type: 'tokens' } }, '/usage_limits'],
    ];
    for (const [json, place] of wrong) {
      const [status, ...places] = await put(json);
      expect(status, JSON.stringify(json)).toBe(400);
      expect(new Set(places).has(place), `${JSON.stringify(json)}: ${places.join()}`).toBe(true);
    }
    expect(await world.limits()).toEqual([]);
  });

  it('make it exhausted when they are used up', async () => {
    await using world = await limitWorld();
    const { path, id } = await make(world, { usage_limits: { type: 'tokens', credit_limit: 10 } });
    const status = async () => (await world.ask(path)).body.status;
    const list = path.replace(/\/[^/]+$/, '');
    const statusInList = async (query = '') =>
      (await world.ask(`${list}${query}`)).body.data.find((each: { id: string }) => each.id === id)?.status;
    const use = (used: number) => world.counters.buckets.set(`${id}/usage/tokens`, [bucket([], used)]);
    use(9);
    expect([await status(), await statusInList()]).toEqual(['active', 'active']);
    use(10);
    expect([await status(), await statusInList()]).toEqual(['exhausted', 'exhausted']);
    if (list === '/api-keys') {
      expect(await statusInList('?status=exhausted')).toBe('exhausted');
      expect(await statusInList('?status=active')).toBeUndefined();
    }
    await world.ask(path, { method: 'PUT', json: { usage_limits: { type: 'tokens', credit_limit: 11 } } });
    expect([await status(), await statusInList()]).toEqual(['active', 'active']);
    if (list === '/api-keys') expect((await world.ask(`${list}?status=exhausted`)).body.total).toBe(0);
  });
});

it('a revoked key no longer has limits in force', async () => {
  await using world = await limitWorld();
  const { id } = (await world.ask('/api-keys', { json: { name: 'app', scopes: [], rate_limits } })).body;
  expect(await world.limits()).toHaveLength(5);
  await world.ask(`/api-keys/${id}`, { method: 'DELETE' });
  expect(await world.limits()).toEqual([]);
});

it('a workspace has limits for all of its requests, which only its organisation can change', async () => {
  await using world = await limitWorld();
  const json = { name: 'Team', slug: 'team', rate_limits, usage_limits };
  const { id } = (await world.ask('/workspaces', { json })).body;
  expect((await world.ask('/workspaces/team')).body).toMatchObject({ rate_limits, usage_limits: shown });
  await world.view.lookNow();
  const limits = () => world.view.findPolicies(id, world.admin.organisation);
  expect(limits()).toHaveLength(6);
  expect(limits()[0]).toMatchObject({
    ...{ id: `${id}/usage/cost`, name: 'workspace Team', conditions: [], reset: { every: 'sunday' } },
  });
  expect(await world.limits()).toEqual([]);
  const scopes = ['workspaces.update'];
  const { key } = await world.keys.create(world.admin, { name: 'k', scopes, workspace_id: id });
  const put = (body: object, by?: string) =>
    world.ask('/workspaces/team', { method: 'PUT', json: body, ...(by === undefined ? {} : { key: by }) });
  expect((await put({ name: 'Group' }, key)).status).toBe(200);
  expect((await put({ usage_limits: null }, key)).status).toBe(403);
  expect(toProblems(await put({ usage_limits: { type: 'cost', credit_limit: -1 } }))).toEqual([
    ...[400, '/usage_limits/credit_limit'],
  ]);
  expect(toProblems(await put({ usage_limits: { type: 'cost', credit_limit: 1e-10 } }))).toEqual([
    ...[400, '/usage_limits/credit_limit'],
  ]);
  expect((await put({ rate_limits: [] })).status).toBe(200);
  await world.view.lookNow();
  expect(limits()).toMatchObject([{ name: 'workspace Group' }]);
  expect((await put({ usage_limits: null })).status).toBe(200);
  await world.view.lookNow();
  expect(limits()).toEqual([]);
});

it('a workspace with active policies cannot be deleted, and archived ones are deleted with it', async () => {
  await using world = await limitWorld();
  const { id } = (await world.ask('/workspaces', { json: { name: 'Team', slug: 'team' } })).body;
  const now = world.time.now;
  const row = {
    ...validateUsage(usage, now),
    ...{ id: newId(now), organisation_id: world.admin.organisation, workspace_id: id, kind: 'usage' as const },
    ...{ status: 'active' as const, created_at: now, updated_at: now },
  };
  await world.store.write((writing) => insertPolicy(world.store, writing, row));
  const refused = await world.ask('/workspaces/team', { method: 'DELETE' });
  expect(refused).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('1 policy') } } });
  const archived = { ...row, status: 'archived' as const };
  await world.store.write((writing) => replacePolicy(world.store, writing, archived));
  expect((await world.ask('/workspaces/team', { method: 'DELETE' })).status).toBe(200);
  expect(await world.store.db.selectFrom('policies').selectAll().execute()).toEqual([]);
});

it('an integration has limits for all of its providers in a workspace together', async () => {
  await using world = await limitWorld();
  const other = await world.addWorkspace('other');
  const workspace_limits = [
    { workspace_id: 'default', usage_limits },
    { workspace_id: other, rate_limits },
  ];
  const json = { name: 'Shared', slug: 'shared', provider: 'openai', key: 'sk-1', workspace_limits };
  const { id } = (await world.ask('/integrations', { json })).body.data;
  const read = async () => (await world.ask('/integrations/shared')).body.workspace_limits;
  expect(await read()).toEqual([
    { workspace_id: world.admin.tenant, rate_limits: [], usage_limits: shown },
    { workspace_id: other, rate_limits, usage_limits: null },
  ]);
  const scopes = ['integrations.read'];
  const { key } = await world.keys.create(world.admin, { name: 'k', scopes, workspace_id: other });
  expect((await world.ask('/integrations/shared', { key })).body.workspace_limits).toEqual([
    { workspace_id: other, rate_limits, usage_limits: null },
  ]);
  // No provider uses it in this workspace yet.
  expect(await world.limits()).toEqual([]);
  for (const slug of ['one', 'two'])
    await world.ask('/providers', { json: { name: slug, slug, integration_id: 'shared' } });
  expect(await world.limits()).toEqual([
    {
      ...{ id: `${id}/${world.admin.tenant}/usage/cost`, name: 'integration Shared', kind: 'usage', groupBy: [] },
      ...{ unit: 'nanoUsd', limit: 500_000_000, alertAt: 250_000_000, reset: { every: 'sunday' }, ifUnknown: 'allow' },
      conditions: [{ key: 'virtual_key', values: ['one', 'two'], excludes: [] }],
    },
  ]);
  await world.ask('/providers/one', { method: 'DELETE' });
  expect(await world.limits()).toMatchObject([{ conditions: [{ values: ['two'] }] }]);
  const put = async (limits: unknown) =>
    toProblems(await world.ask('/integrations/shared', { method: 'PUT', json: { workspace_limits: limits } }));
  expect(await put([{ workspace_id: 'nobody' }])).toEqual([400, '/workspace_limits/0/workspace_id']);
  const twice = [{ workspace_id: other }, { workspace_id: 'other' }];
  expect(await put(twice)).toEqual([400, '/workspace_limits/1/workspace_id']);
  const wrong = [{ workspace_id: other, usage_limits: { type: 'tokens', credit_limit: 0.5 } }];
  expect(await put(wrong)).toEqual([400, '/workspace_limits/0/usage_limits/credit_limit']);
  expect(await put([{ workspace_id: other, rate_limits }])).toEqual([200]);
  expect(await world.limits()).toEqual([]);
  expect(await read()).toEqual([{ workspace_id: other, rate_limits, usage_limits: null }]);
  expect(await put(null)).toEqual([200]);
  expect(await read()).toEqual([]);
});
