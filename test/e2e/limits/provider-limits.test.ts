import { expect, it } from 'vitest';
import { control } from '../../support/gateways/stored-gateway.ts';
import { asked, limitedGateway, makePolicy } from './support/limited-gateway.ts';

it('accepts each alias of a provider in the conditions of limits and in usage queries', async () => {
  const { gateway, key } = await limitedGateway();
  const rate = { name: 'By another name', type: 'requests', unit: 'rpd', value: 1, group_by: [{ key: 'api_key' }] };
  await makePolicy(gateway, 'rate-limits', { ...rate, conditions: [{ key: 'provider', value: ['clouda', 'llmv'] }] });
  await makePolicy(gateway, 'rate-limits', {
    ...{ ...rate, name: 'All others', value: 0 },
    conditions: [{ key: 'provider', value: '*', excludes: 'llmv' }],
  });
  expect((await asked(gateway, {}, key)).status).toBe(200);
  const refused = await asked(gateway, {}, key);
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('By another name')]);
  await expect
    .poll(async () => (await control(gateway, 'GET /usage?provider=llmv&group_by=provider')).data)
    .toMatchObject([{ provider: 'openai', requests: 1 }]);
});
