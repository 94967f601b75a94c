import { expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { asked, limitedGateway, makePolicy } from './support/limited-gateway.ts';

it('applies a limit of a saved config whether the limit and the request name its slug or its id', async () => {
  const { gateway, key, upstream } = await limitedGateway();
  const saved = async (slug: string): Promise<string> => {
    const config = { provider: '@main' };
    const { data } = await control(gateway, 'POST /configs', { body: { name: slug, slug, config } });
    return data?.id ?? '';
  };
  const ids = { 'by-id': await saved('by-id'), 'by-slug': await saved('by-slug'), free: await saved('free') };
  const limit = { type: 'requests', unit: 'rpd', value: 2, group_by: [{ key: 'config' }] };
  for (const value of [ids['by-id'], 'by-slug'])
    await makePolicy(gateway, 'rate-limits', { ...limit, conditions: [{ key: 'config', value }] });
  await makePolicy(gateway, 'rate-limits', {
    ...{ ...limit, value: 0 },
    conditions: [{ key: 'config', value: '*', excludes: Object.values(ids) }],
  });
  const ask = async (config: string) => (await asked(gateway, {}, { ...key, config })).status;
  for (const slug of ['by-id', 'by-slug'] as const)
    expect([await ask(slug), await ask(ids[slug]), await ask(slug), await ask(ids[slug])]).toEqual([
      200, 200, 429, 429,
    ]);
  expect([await ask('free'), await ask(ids.free), await ask('free')]).toEqual([200, 200, 200]);
  expect(upstream.requests).toHaveLength(7);
});
