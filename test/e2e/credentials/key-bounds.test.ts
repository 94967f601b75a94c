import { describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { adminKey, callControl, control, type NewKey, sharedStore } from '../../support/gateways/stored-gateway.ts';

const served = sharedStore();

const manages = ['completions.write', 'keys.create', 'keys.update', 'keys.rotate', 'keys.read'] as const;
const budget = { usage_limits: { credit_limit: 10, type: 'cost' } } as const;
const hour = 3600;
/** The time in this many hours, in seconds since the epoch. */
const inHours = (hours: number): number => Math.floor(Date.now() / 1000) + hours * hour;

const make = async (gateway: GatewayProcess, body: object = {}, maker = adminKey): Promise<NewKey> => {
  const by = maker === adminKey ? { workspace_id: 'default' } : {};
  const { id = '', key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'k', scopes: [...manages], ...by, ...body },
    key: maker,
  });
  return { id, key };
};

const makeFree = async (gateway: GatewayProcess, body: object = {}): Promise<NewKey> => {
  const { id = '', key = '' } = await control(gateway, 'POST /api-keys/organisation/service', {
    body: { name: 'k', scopes: [...manages], ...body },
  });
  return { id, key };
};

interface KeyRecord {
  readonly expires_at: number | null;
  readonly usage_limits: unknown;
}

const readRecord = async (gateway: GatewayProcess, { id }: NewKey): Promise<KeyRecord> =>
  JSON.parse((await callControl(gateway, `GET /api-keys/${id}`)).text);

/** Changes a key with another one or with itself, and returns the status. */
const change = async (gateway: GatewayProcess, { id }: NewKey, body: object, by: NewKey): Promise<number> =>
  (await callControl(gateway, `PUT /api-keys/${id}`, { body, key: by.key })).status;
const rotate = async (gateway: GatewayProcess, { id }: NewKey, by: NewKey): Promise<number> =>
  (await callControl(gateway, `POST /api-keys/${id}/rotate`, { body: {}, key: by.key })).status;

describe('a key that expires', () => {
  const open = async () => {
    const gateway = served();
    const end = inHours(2);
    return { gateway, end, maker: await make(gateway, { expires_at: end }) };
  };

  it('creates keys that expire at the same time', async () => {
    const { gateway, end, maker } = await open();
    const child = await make(gateway, {}, maker.key);
    expect((await readRecord(gateway, child)).expires_at).toBe(end);
  });

  it('cannot create a key that lasts longer', async () => {
    const { gateway, end, maker } = await open();
    const body = { name: 'k', scopes: [], expires_at: end + hour };
    const { status, text } = await callControl(gateway, 'POST /api-keys/workspace/service', { body, key: maker.key });
    expect([status, text]).toEqual([403, expect.stringContaining('expires_at')]);
  });

  it.each(['itself', 'another key'])('cannot prolong %s beyond its own end', async (which) => {
    const { gateway, end, maker } = await open();
    const key = which === 'itself' ? maker : await make(gateway, { expires_at: inHours(1) });
    for (const expires_at of [end + hour, null]) expect(await change(gateway, key, { expires_at }, maker)).toBe(403);
    expect(await change(gateway, key, { expires_at: end }, maker)).toBe(200);
  });

  it('cannot rotate a key that lasts longer', async () => {
    const { gateway, maker } = await open();
    expect(await rotate(gateway, await make(gateway), maker)).toBe(403);
    expect(await rotate(gateway, maker, maker)).toBe(200);
  });
});

describe('a key with scopes that another key lacks', () => {
  const more = { scopes: ['completions.write', 'logs.list'] };

  it('cannot be prolonged by that key', async () => {
    const gateway = served();
    const maker = await make(gateway);
    const key = await make(gateway, { ...more, expires_at: inHours(1) });
    for (const expires_at of [inHours(2), null]) expect(await change(gateway, key, { expires_at }, maker)).toBe(403);
    expect(await change(gateway, key, { name: 'other' }, maker)).toBe(200);
  });

  it('cannot be revived by that key after it has expired', async () => {
    const gateway = served();
    const maker = await make(gateway);
    // The next second may begin before the key is created, which must not expire in the past.
    const key = await make(gateway, { ...more, expires_at: Math.floor(Date.now() / 1000) + 2 });
    const isAccepted = async () => (await callControl(gateway, 'GET /logs', { key: key.key })).status;
    await expect.poll(isAccepted).toBe(401);
    for (const expires_at of [inHours(2), null]) expect(await change(gateway, key, { expires_at }, maker)).toBe(403);
    expect(await isAccepted()).toBe(401);
  });
});

describe('a key with limits', () => {
  const more = { usage_limits: { credit_limit: 11, type: 'cost' } };

  it.each([
    ['its own limits', 'maker', 'maker'],
    ['the limits of the key that created it', 'maker', 'child'],
    ['its own limits if another key created it', 'child', 'child'],
  ] as const)('cannot change %s', async (_, of, by) => {
    const gateway = served();
    const maker = await make(gateway, budget);
    const keys = { maker, child: await make(gateway, budget, maker.key) };
    for (const body of [more, { usage_limits: null }])
      expect(await change(gateway, keys[of], body, keys[by])).toBe(403);
    expect((await readRecord(gateway, keys[of])).usage_limits).toMatchObject(budget.usage_limits);
  });

  it('can change them if it belongs to the organisation', async () => {
    const gateway = served();
    const [maker, free] = [await make(gateway, budget), await makeFree(gateway, budget)];
    for (const key of [free, maker]) expect(await change(gateway, key, more, free)).toBe(200);
  });
});

describe('the last admin key', () => {
  const alone = sharedStore();
  const open = async () => {
    const gateway = alone();
    const [{ id }] = JSON.parse((await callControl(gateway, 'GET /api-keys')).text).data;
    return { gateway, route: `/api-keys/${id}` };
  };

  it.each([
    ['cannot lose its scopes for managing keys', { scopes: ['completions.write'] }],
    ['cannot be set to expire', { expires_at: inHours(1) }],
  ])('%s', async (_, body) => {
    const { gateway, route } = await open();
    expect((await callControl(gateway, `PUT ${route}`, { body })).status).toBe(409);
    expect((await callControl(gateway, 'GET /api-keys')).status).toBe(200);
  });

  it('cannot delete itself, unless there is another one', async () => {
    const { gateway, route } = await open();
    expect((await callControl(gateway, `DELETE ${route}`)).status).toBe(409);
    const { scopes } = JSON.parse((await callControl(gateway, `GET ${route}`)).text);
    await makeFree(gateway, { scopes });
    expect((await callControl(gateway, `DELETE ${route}`)).status).toBe(200);
  });
});
