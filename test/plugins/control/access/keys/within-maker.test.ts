import { describe, expect, it } from 'vitest';
import type { KeyUpdateBody, NewKeyBody } from '../../../../../plugins/control/access/keys/key-bodies.ts';
import type { KeyPrincipal } from '../../../../../plugins/control/access/keys/key-principal.ts';
import { type KeyWorld, keyWorld, refusal, startTime } from '../../support/key-world.ts';

const hour = 3600;
const start = startTime / 1000;
const manages = ['completions.write', 'keys.create', 'keys.update', 'keys.rotate', 'keys.read'] as const;
const budget = { usage_limits: { credit_limit: 10, type: 'cost' } } as const;

interface Member {
  readonly id: string;
  readonly caller: KeyPrincipal;
}

/** Creates a key that can manage keys, with the admin key or with another one. */
const made = async (world: KeyWorld, body: Partial<NewKeyBody> = {}, by = world.admin): Promise<Member> => {
  const { id, key } = await world.keys.create(by, { name: 'k', scopes: [...manages], ...body });
  return { id, caller: await world.readCaller(key) };
};

/** The results of the three ways in which a key could gain more access: creation, change and rotation. */
const makes = async (world: KeyWorld, by: Member, body: Partial<NewKeyBody>): Promise<readonly string[]> =>
  refusal(world.keys.create(by.caller, { name: 'k', scopes: [], ...body }));
const changes = async (world: KeyWorld, by: Member, key: Member, body: KeyUpdateBody): Promise<readonly string[]> =>
  refusal(world.keys.update(by.caller, key.id, body));
const rotates = async (world: KeyWorld, by: Member, key: Member): Promise<readonly string[]> =>
  refusal(world.keys.rotate(by.caller, key.id));
const shown = async (world: KeyWorld, id: string) => await world.keys.get(world.admin, id);

describe.each([
  ['a workspace', {}],
  ['the organisation', { kind: 'organisation' }],
] as const)('a key of %s that expires', (_, kind) => {
  it('creates keys that expire with it or earlier', async () => {
    await using world = await keyWorld();
    const maker = await made(world, { ...kind, expires_at: start + 2 * hour });
    const child = await made(world, {}, maker.caller);
    expect((await shown(world, child.id)).expires_at).toBe(start + 2 * hour);
    expect(await makes(world, maker, { expires_at: start + hour })).toEqual(['ok']);
    expect(await makes(world, maker, { expires_at: start + 2 * hour + 1 })).toEqual(['forbidden', '/expires_at']);
  });

  it('cannot extend or revive any key, including itself, beyond its own expiry', async () => {
    await using world = await keyWorld();
    const maker = await made(world, { ...kind, expires_at: start + 2 * hour });
    const other = await made(world, { expires_at: start + 60 });
    for (const expires_at of [start + 2 * hour + 1, null])
      for (const key of [maker, other])
        expect(await changes(world, maker, key, { expires_at })).toEqual(['forbidden', '/expires_at']);
    expect(await changes(world, maker, other, { expires_at: start + hour })).toEqual(['ok']);
    world.time.now += hour * 1000;
    expect(await changes(world, maker, other, { expires_at: start + 3 * hour })).toEqual(['forbidden', '/expires_at']);
    expect(await changes(world, maker, other, { expires_at: start + 2 * hour })).toEqual(['ok']);
  });

  it('cannot rotate a key that expires later or never', async () => {
    await using world = await keyWorld();
    const maker = await made(world, { ...kind, expires_at: start + 2 * hour });
    expect(await rotates(world, maker, await made(world))).toEqual(['forbidden', '']);
    expect(await rotates(world, maker, await made(world, { expires_at: start + hour }))).toEqual(['ok']);
    expect(await rotates(world, maker, maker)).toEqual(['ok']);
  });
});

it('a key that lacks a scope cannot extend or revive a key that has it', async () => {
  await using world = await keyWorld();
  const maker = await made(world);
  const other = await made(world, { scopes: ['completions.write', 'logs.list'], expires_at: start + hour });
  expect(await changes(world, maker, other, { expires_at: start + 2 * hour })).toEqual(['forbidden', '/scopes/1']);
  expect(await changes(world, maker, other, { name: 'other', expires_at: start + 60 })).toEqual(['ok']);
  world.time.now += hour * 1000;
  expect(await changes(world, maker, other, { expires_at: start + 2 * hour })).toEqual(['forbidden', '/scopes/1']);
  const fewer = { scopes: ['completions.write'], expires_at: start + 2 * hour };
  expect(await changes(world, maker, other, fewer)).toEqual(['ok']);
});

it.each<[string, (world: KeyWorld, by: Member) => Promise<unknown>]>([
  ['create', (world, { caller }) => world.keys.create(caller, { name: 'k', scopes: [] })],
  ['change', (world, { caller, id }) => world.keys.update(caller, id, { name: 'k' })],
  ['rotate', (world, { caller, id }) => world.keys.rotate(caller, id)],
  ['revoke', (world, { caller }) => world.keys.revoke(caller, world.admin.keyId)],
])('a key that was revoked or expired a moment ago cannot %s any key', async (_, act) => {
  await using world = await keyWorld();
  const revoked = await made(world, { kind: 'organisation' });
  await world.keys.revoke(world.admin, revoked.id);
  expect(await refusal(act(world, revoked))).toEqual(['forbidden', '']);
  const expired = await made(world, { kind: 'organisation', expires_at: start + 1 });
  world.time.now += 1000;
  expect(await refusal(act(world, expired))).toEqual(['forbidden', '']);
});

describe('a key with limits', () => {
  it('shares them with the keys that it creates and with theirs, whatever limits those have', async () => {
    await using world = await keyWorld();
    const maker = await made(world, budget);
    const child = await made(world, { rate_limits: [{ type: 'requests', unit: 'rpm', value: 5 }] }, maker.caller);
    const grandchild = await made(world, {}, child.caller);
    expect(child.caller.sharesLimitsOf).toEqual([maker.id]);
    expect(grandchild.caller.sharesLimitsOf).toEqual([maker.id, child.id]);
    expect((await shown(world, grandchild.id)).shares_limits_of).toEqual([maker.id, child.id]);
    await world.keys.update(world.admin, child.id, { rate_limits: null, usage_limits: null });
    expect((await shown(world, child.id)).shares_limits_of).toEqual([maker.id]);
    expect((await made(world)).caller.sharesLimitsOf).toBeUndefined();
  });

  it('of the organisation shares them too, and can change them', async () => {
    await using world = await keyWorld();
    const maker = await made(world, { ...budget, kind: 'organisation' });
    expect((await made(world, {}, maker.caller)).caller.sharesLimitsOf).toEqual([maker.id]);
    expect(await changes(world, maker, maker, { usage_limits: null })).toEqual(['ok']);
    expect((await made(world, {}, maker.caller)).caller.sharesLimitsOf).toBeUndefined();
  });

  it('cannot change its own limits, those that it shares, or those of keys that it did not create', async () => {
    await using world = await keyWorld();
    const [maker, neighbour, free] = [await made(world, budget), await made(world, budget), await made(world)];
    const child = await made(world, budget, maker.caller);
    const more = { usage_limits: { credit_limit: 11, type: 'cost' } } as const;
    for (const body of [
      more,
      { usage_limits: null },
      { rate_limits: [{ type: 'tokens', unit: 'rpm', value: 1 }] },
    ] as const) {
      expect(await changes(world, maker, maker, body)).toEqual(['forbidden', '']);
      expect(await changes(world, child, maker, body)).toEqual(['forbidden', '']);
      expect(await changes(world, child, child, body)).toEqual(['forbidden', '']);
      expect(await changes(world, maker, neighbour, body)).toEqual(['forbidden', '']);
    }
    expect(await changes(world, free, free, more)).toEqual(['forbidden', '']);
    expect(await changes(world, maker, maker, { name: 'same', ...budget })).toEqual(['ok']);
    for (const [by, key] of [
      [maker, child],
      [free, maker],
    ] as const)
      expect(await changes(world, by, key, more)).toEqual(['ok']);
  });

  it('can neither rotate nor revive a key that does not share them', async () => {
    await using world = await keyWorld();
    const maker = await made(world, budget);
    const old = await made(world, { expires_at: start + hour });
    const child = await made(world, { expires_at: start + hour }, maker.caller);
    const free = await made(world);
    expect(await rotates(world, maker, free)).toEqual(['forbidden', '']);
    expect(await rotates(world, child, maker)).toEqual(['forbidden', '', '']);
    for (const [by, key] of [
      [maker, child],
      [maker, maker],
      [free, maker],
    ] as const)
      expect(await rotates(world, by, key)).toEqual(['ok']);
    world.time.now += hour * 1000;
    expect(await changes(world, maker, old, { expires_at: start + 2 * hour })).toEqual(['forbidden', '']);
    expect(await changes(world, maker, child, { expires_at: start + 2 * hour })).toEqual(['ok']);
  });
});

describe('a key that cannot override its config', () => {
  const fixed = { config_id: 'saved', allow_config_override: false } as const;

  it('creates keys that cannot override it either', async () => {
    await using world = await keyWorld();
    const maker = await made(world, { defaults: fixed });
    const child = await made(world, { defaults: { metadata: { a: 'b' } } }, maker.caller);
    expect((await shown(world, child.id)).defaults).toEqual({ ...fixed, metadata: { a: 'b' } });
    for (const defaults of [{ allow_config_override: true }, { ...fixed, allow_config_override: true }])
      expect(await makes(world, maker, { defaults })).toEqual(['forbidden', '/defaults/config_id']);
    expect(await makes(world, maker, { defaults: fixed })).toEqual(['ok']);
  });

  it('cannot let itself or another key override it, and cannot rotate a key that may', async () => {
    await using world = await keyWorld();
    const maker = await made(world, { defaults: fixed });
    const child = await made(world, {}, maker.caller);
    for (const key of [maker, child])
      for (const defaults of [{}, { config_id: 'saved' }])
        expect(await changes(world, maker, key, { defaults })).toEqual(['forbidden', '/defaults/config_id']);
    expect(await rotates(world, maker, await made(world))).toEqual(['forbidden', '']);
    expect(await changes(world, maker, child, { defaults: { ...fixed, metadata: { a: 'b' } } })).toEqual(['ok']);
    const organisation = await made(world, { kind: 'organisation', defaults: fixed });
    expect(await changes(world, organisation, organisation, { defaults: {} })).toEqual(['ok']);
  });
});

describe('a key with a priority', () => {
  const of = (priority: 'low' | 'normal' | 'high') => ({ defaults: { priority } });
  const above = ['forbidden', '/defaults/priority'];

  it('creates keys with the same or a lower one, and cannot raise any key, including itself, above its own', async () => {
    await using world = await keyWorld();
    const low = await made(world, of('low'));
    const child = await made(world, {}, low.caller);
    expect((await shown(world, child.id)).defaults).toEqual({ priority: 'low' });
    expect(await makes(world, low, of('normal'))).toEqual(above);
    expect(await makes(world, low, of('low'))).toEqual(['ok']);
    for (const key of [low, child])
      for (const changed of [of('high'), { defaults: {} }])
        expect(await changes(world, low, key, changed)).toEqual(above);
    const plain = await made(world);
    expect(await makes(world, plain, of('high'))).toEqual(above);
    expect(await makes(world, plain, of('low'))).toEqual(['ok']);
    const high = await made(world, of('high'));
    expect(await rotates(world, plain, high)).toEqual(['forbidden', '']);
    // The priority that a key already has may stay or be lowered.
    expect(await changes(world, plain, high, { defaults: { priority: 'high', metadata: { a: 'b' } } })).toEqual(['ok']);
    expect(await changes(world, plain, high, of('normal'))).toEqual(['ok']);
    expect(await changes(world, plain, high, of('high'))).toEqual(above);
  });

  it('can get any priority from a key of the organisation', async () => {
    await using world = await keyWorld();
    const organisation = await made(world, { kind: 'organisation', ...of('low') });
    expect(await makes(world, organisation, of('high'))).toEqual(['ok']);
  });
});
