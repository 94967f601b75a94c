import { expect, it, vi } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import { limitedGateway, makePolicy } from './support/limited-gateway.ts';

const user = 'eve\\u001b[2J\\u009b31m\\u202e\\u2028';

it('removes characters that change what a terminal shows from notices of counters and lines of requests', async () => {
  const { gateway, key } = await limitedGateway('gateway.db', { env: { GW_LOG: 'requests' } });
  await makePolicy(gateway, 'usage-limits', {
    ...{ name: 'Of a user\u202e', type: 'tokens', credit_limit: 10 },
    ...{ conditions: [{ key: 'metadata._user', value: '*' }], group_by: [{ key: 'metadata._user' }] },
  });
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-api-key': key.key,
      'x-gw-provider': '@main',
      'x-gw-metadata': `{"_user":"${user}"}`,
    },
    body: JSON.stringify({ model: 'priced', messages: [{ role: 'user', content: '{"input":5,"output":6}' }] }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  const notice = `gw: Of the limit "Of a user\\u202e", 11 tokens of 10 tokens are used for "metadata._user:${user}"`;
  await vi.waitFor(() => expect(gateway.printed()).toContain(notice), patience);
  await vi.waitFor(() => expect(gateway.printed()).toContain(`"_user":"${user}"`), patience);
  const line = gateway.records().find(({ metadata }) => JSON.stringify(metadata ?? null).includes('eve'));
  expect(line?.metadata).toMatchObject({ _user: JSON.parse(`"${user}"`) });
  expect(gateway.printed()).not.toMatch(/[\x7f-\x9f\u2028\p{Cf}]/u);
});
