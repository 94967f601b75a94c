import { describe, expect, it, vi } from 'vitest';
import { patience } from '../../support/patience.ts';
import { control } from '../../support/stored-gateway.ts';
import { asked, limitedGateway, makePolicy, sumOf, usedOf } from './support/limited-gateway.ts';

const limitHeaders = (headers: Headers): readonly string[] =>
  [...headers.keys()].filter((name) => name.startsWith('x-ratelimit-') || name === 'x-should-retry');

describe('a budget', () => {
  it('of tokens admits the request that crosses it, refuses the next one with 412, and counts what was used', async () => {
    const { gateway, key, upstream } = await limitedGateway();
    const policy = await makePolicy(gateway, 'usage-limits', { name: 'Small', type: 'tokens', credit_limit: 100 });
    const first = await asked(gateway, { input: 60, output: 39 }, key);
    expect([first.status, limitHeaders(first.headers)]).toEqual([200, []]);
    expect((await asked(gateway, { input: 500, output: 500 }, key)).status).toBe(200);
    const refused = await asked(gateway, { input: 1, output: 1 }, key);
    expect([refused.status, refused.code]).toEqual([412, 'usage-exhausted']);
    expect(refused.text).toContain('The usage limit \\"Small\\" is reached');
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(refused.headers.get('retry-after')).toBe(null);
    expect(upstream.requests).toHaveLength(2);
    await vi.waitFor(async () => expect(await sumOf(gateway, policy)).toBe(1099), patience);
  });

  it('of cost is charged what attempts cost, and by label each has its own', async () => {
    const { gateway, key } = await limitedGateway();
    const policy = await makePolicy(gateway, 'usage-limits', {
      ...{ type: 'cost', credit_limit: 0.0001, group_by: [{ key: 'metadata._user' }] },
    });
    const by = (user: string) => asked(gateway, { input: 50, output: 50 }, { ...key, metadata: { _user: user } });
    expect((await by('alice')).status).toBe(200);
    expect((await by('alice')).status).toBe(412);
    expect((await by('bob, and others')).status).toBe(200);
    const used = { 'metadata._user:alice': 0.0001, 'metadata._user:bob\\, and others': 0.0001 };
    await vi.waitFor(async () => expect(await usedOf(gateway, policy)).toEqual(used), patience);
  });

  it('is reset for one value by whoever manages it', async () => {
    const { gateway, key } = await limitedGateway();
    const policy = await makePolicy(gateway, 'usage-limits', { type: 'tokens', credit_limit: 10 });
    await asked(gateway, { input: 10, output: 0 }, key);
    expect((await asked(gateway, {}, key)).status).toBe(412);
    await vi.waitFor(async () => expect(await sumOf(gateway, policy)).toBe(10), patience);
    const { data } = await control(gateway, `GET /policies/usage-limits/${policy}/entities`);
    const [entity] = Array.isArray(data) ? data : [];
    await control(gateway, `PUT /policies/usage-limits/${policy}/entities/${entity?.id}/reset`);
    await vi.waitFor(async () => expect(await sumOf(gateway, policy)).toBe(0), patience);
    expect((await asked(gateway, { input: 1, output: 1 }, key)).status).toBe(200);
    await vi.waitFor(async () => expect(await sumOf(gateway, policy)).toBe(2), patience);
  });
});
