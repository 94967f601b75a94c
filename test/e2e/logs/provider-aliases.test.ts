import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { read } from './support/logged.ts';

it('finds the records of a provider by its alias in lists, exports and graphs', async () => {
  const gateway = await startGateway({
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey, GW_TRUSTED_HOSTS: '127.0.0.1', KEY: 'k' },
    files: {
      'gateway.json': { configs: 'configs', default_config: 'own' },
      'configs/own.json': { provider: 'openai', api_key: '${env:KEY}', custom_host: 'http://127.0.0.1:1/v1' },
    },
  });
  onTestFinished(() => gateway.stop());
  await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-api-key': adminKey },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  const now = Date.now() / 1000;
  const range = `time_min=${now - 7200}&time_max=${now + 3600}`;
  const count = async (provider: string) => {
    const [list, summary, graph] = await Promise.all(
      ['/logs?', `/analytics/summary?${range}&`, `/analytics/graphs/requests?${range}&`].map((path) =>
        read(gateway, `${path}provider=${provider}`),
      ),
    );
    const exported = await fetch(`${gateway.baseUrl}/logs/export?provider=${provider}`, {
      headers: { 'x-gw-api-key': adminKey },
    });
    const lines = (await exported.text()).split('\n').filter((line) => line !== '');
    return [list?.body.data.length, summary?.body.requests?.total, graph?.body.summary.total, lines.length];
  };
  await expect.poll(() => count('openai')).toEqual([1, 1, 1, 1]);
  expect(await count('llmv')).toEqual([1, 1, 1, 1]);
  expect(await count('clouda')).toEqual([0, 0, 0, 0]);
});
