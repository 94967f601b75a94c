import { describe, expect, it } from 'vitest';
import { describedRoutes } from '../../support/described-routes.ts';
import { refusal } from '../../support/key-world.ts';
import { bucket, type PolicyWorld, policyWorld, toProblems, usage } from './support.ts';

const usages = '/policies/usage-limits';
const all = ['completions.write', 'policies.create', 'policies.read', 'policies.update', 'policies.delete'] as const;

interface Holder {
  readonly id: string;
  readonly key: string;
}

const holder = async ({ keys, admin }: PolicyWorld, more: object = {}): Promise<Holder> =>
  await keys.create(admin, { name: 'k', scopes: [...all], workspace_id: 'default', ...more });

/** Creates a policy with the admin key, and returns its path. */
const madePolicy = async (world: PolicyWorld, body: object): Promise<string> => {
  const { status, body: made } = await world.ask(usages, { json: { ...usage, workspace_id: 'default', ...body } });
  expect(status).toBe(200);
  return `${usages}/${made.id}`;
};

/** Changes and then deletes a policy with a key, and returns both statuses. */
const changed = async (world: PolicyWorld, policy: string, key: string): Promise<readonly number[]> => [
  (await world.ask(policy, { key, method: 'PUT', json: { credit_limit: 1000 } })).status,
  (await world.ask(policy, { key, method: 'DELETE' })).status,
];

const budget = { usage_limits: { credit_limit: 10, type: 'cost' } } as const;

describe('a key of a workspace that has limits', () => {
  it.each<[string, object, (id: string) => object]>([
    ['names it', {}, (id) => ({ key: 'api_key', value: id })],
    ['names the beginning of its id', {}, (id) => ({ key: 'api_key', value: ['x', `${id.slice(0, 20)}*`] })],
    ['names its label', { defaults: { metadata: { team: 'shop' } } }, () => ({ key: 'metadata.team', value: 'sh*' })],
    ['covers its requests', budget, () => ({ key: 'model', value: 'm' })],
    ['covers its workspace', budget, () => ({ key: 'workspace_id', value: '*' })],
  ])('cannot change a policy that %s, but a key of the organisation can', async (_, more, condition) => {
    await using world = await policyWorld();
    const { id, key } = await holder(world, more);
    const policy = await madePolicy(world, { conditions: [condition(id)] });
    expect(await changed(world, policy, key)).toEqual([403, 403]);
    const organisation = await world.keys.create(world.admin, {
      name: 'k',
      kind: 'organisation',
      scopes: [...all],
      ...budget,
    });
    expect(await changed(world, policy, organisation.key)).toEqual([200, 200]);
  });

  it('can change policies that cannot cover its requests, and a key without limits can also change others', async () => {
    await using world = await policyWorld();
    const [limited, free] = [await holder(world, budget), await holder(world)];
    const conditions = [{ key: 'api_key', value: '*', excludes: limited.id }];
    expect(await changed(world, await madePolicy(world, { conditions }), limited.key)).toEqual([200, 200]);
    expect(await changed(world, await madePolicy(world, {}), free.key)).toEqual([200, 200]);
  });

  it('creates keys that share the limits that name it', async () => {
    await using world = await policyWorld();
    const maker = await holder(world, { scopes: [...all, 'keys.create'] });
    const policy = await madePolicy(world, { conditions: [{ key: 'api_key', value: maker.id }] });
    const caller = await world.readCaller(maker.key);
    const child = await world.keys.create(caller, { name: 'child', scopes: [...all] });
    expect((await world.readCaller(child.key)).sharesLimitsOf).toEqual([maker.id]);
    expect(await changed(world, policy, child.key)).toEqual([403, 403]);
  });
});

it.each<[string, object, object, (id: string) => string]>([
  ['its key', {}, { group_by: [{ key: 'api_key' }] }, (id) => id],
  ['its label', { defaults: { metadata: { team: 'shop' } } }, { group_by: [{ key: 'metadata.team' }] }, () => 'shop'],
])('a key of a workspace cannot reset the counter of %s, but can reset others', async (_, more, group, own) => {
  await using world = await policyWorld();
  const { id, key } = await holder(world, more);
  const policy = await madePolicy(world, group);
  const name = policy.slice(usages.length + 1);
  world.counters.buckets.set(name, [bucket([own(id)], 5), bucket(['other'], 5)]);
  const { body } = await world.ask(`${policy}/entities`);
  const statuses = [];
  for (const { id: entity } of body.data)
    statuses.push((await world.ask(`${policy}/entities/${entity}/reset`, { key, method: 'PUT' })).status);
  expect(statuses.sort()).toEqual([200, 403]);
  world.counters.buckets.set(name, [bucket([own(id)], 5)]);
  const [{ value_key }] = body.data.filter((each: { value_key: string }) => !each.value_key.endsWith(':other'));
  const reset = { method: 'PUT', json: { reset_usage_for_value: value_key } };
  expect((await world.ask(policy, { ...reset, key })).status).toBe(403);
  expect(world.counters.buckets.get(name)).toHaveLength(1);
  expect((await world.ask(policy, reset)).status).toBe(200);
  expect(world.counters.buckets.get(name)).toHaveLength(0);
});

describe('labels that policies read', () => {
  const manages = ['completions.write', 'keys.create', 'keys.update', 'keys.rotate', 'workspaces.update'] as const;
  const shop = { defaults: { metadata: { team: 'shop', note: 'a' } } };

  it.each([
    ['conditions', { conditions: [{ key: 'metadata.team', value: '*' }] }],
    ['groups', { group_by: [{ key: 'metadata.team' }] }],
  ])('in %s are inherited by the keys that a key creates, and cannot be changed by that key', async (_, policy) => {
    await using world = await policyWorld();
    await madePolicy(world, policy);
    const { id, key } = await holder(world, { scopes: [...manages], ...shop });
    const caller = await world.readCaller(key);
    const made = async (metadata: Record<string, string>) =>
      world.keys.create(caller, { name: 'k', scopes: [], defaults: { metadata } });
    const { id: child } = await made({ note: 'b' });
    expect((await world.keys.get(world.admin, child)).defaults.metadata).toEqual({ team: 'shop', note: 'b' });
    const otherTeam = ['forbidden', '/defaults/metadata/team'];
    expect(await refusal(made({ team: 'free' }))).toEqual(otherTeam);
    for (const one of [id, child])
      for (const metadata of [{}, { team: 'free' }])
        expect(await refusal(world.keys.update(caller, one, { defaults: { metadata } }))).toEqual(otherTeam);
    await world.keys.update(caller, id, { defaults: { metadata: { team: 'shop', note: 'c' } } });
    const free = await holder(world, { scopes: [] });
    expect(await refusal(world.keys.rotate(caller, free.id))).toContain('forbidden');
  });

  it('can be changed by a key of the organisation, and by any key if no policy reads them', async () => {
    await using world = await policyWorld();
    const { id, key } = await holder(world, { scopes: [...manages], ...shop });
    await world.keys.update(await world.readCaller(key), id, { defaults: {} });
    await madePolicy(world, { group_by: [{ key: 'metadata.team' }] });
    await world.keys.update(world.admin, id, shop);
    await world.keys.update(world.admin, id, { defaults: {} });
  });
});

it('a caller of a workspace cannot change those of its labels that policies read', async () => {
  await using world = await policyWorld(describedRoutes);
  const { key } = await holder(world, { scopes: ['workspaces.update'] });
  const put = async (metadata: object | null, by?: string) =>
    toProblems(
      await world.ask('/workspaces/default', {
        ...{ method: 'PUT', json: { settings: { metadata } } },
        ...(by === undefined ? {} : { key: by }),
      }),
    );
  expect(await put({ team: 'shop', note: 'a' }, key)).toEqual([200]);
  await madePolicy(world, { group_by: [{ key: 'metadata.team' }] });
  for (const metadata of [null, {}, { note: 'a' }, { team: 'free' }])
    expect(await put(metadata, key)).toEqual([403, '/settings/metadata/team']);
  expect(await put({ team: 'shop', note: 'b' }, key)).toEqual([200]);
  expect(await put(null)).toEqual([200]);
  expect(await put({ team: 'shop' }, key)).toEqual([403, '/settings/metadata/team']);
});
