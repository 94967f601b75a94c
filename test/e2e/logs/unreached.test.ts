import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';

it.each([
  ['http://127.0.0.1:1/v1', '127.0.0.1:1: the connection was refused'],
  ['http://nowhere.invalid/v1', 'nowhere.invalid: its name does not resolve'],
])('states in the line of a request why %s was not reached', async (custom_host, about) => {
  const gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', default_config: 'own' },
      'configs/own.json': { provider: 'openai', api_key: '${env:KEY}', custom_host },
    },
    env: { KEY: 'k', GW_LOG: 'requests', GW_TRUSTED_HOSTS: '127.0.0.1,nowhere.invalid' },
  });
  onTestFinished(() => gateway.stop());
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  expect(answer.status).toBe(502);
  await expect
    .poll(() => gateway.records().at(-1))
    .toMatchObject({ problem: { cause: 'connection-failed', about: expect.stringMatching(`^${about}`) } });
});
