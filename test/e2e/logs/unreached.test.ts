import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../support/gateway-process.ts';
import { patience } from '../../support/patience.ts';

it.each([
  ['http://127.0.0.1:1/v1', '127.0.0.1:1: the connection was refused'],
  ['http://nowhere.invalid/v1', 'nowhere.invalid: its name does not resolve'],
])('says in the line of a request why %s was not reached', async (custom_host, about) => {
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

it('says in the line of a request why each attempt had no answer, and nothing of those that had one', async () => {
  const own = { provider: 'openai', api_key: '${env:KEY}' };
  const gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', default_config: 'own' },
      'configs/own.json': {
        strategy: { mode: 'fallback', on_status_codes: [408, 502] },
        targets: [
          { ...own, custom_host: 'http://127.0.0.1:1/v1' },
          { ...own, custom_host: 'http://nowhere.invalid/v1' },
          { provider: 'echo' },
        ],
      },
    },
    env: { KEY: 'k', GW_LOG: 'requests', GW_TRUSTED_HOSTS: '127.0.0.1,nowhere.invalid' },
  });
  onTestFinished(() => gateway.stop());
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  expect(answer.status).toBe(200);
  const causes = (): unknown =>
    Object(gateway.records().at(-1)).trail?.flatMap((event: { kind: string; status: number; cause?: string }) =>
      event.kind === 'attempted' ? [[event.status, event.cause]] : [],
    );
  await expect.poll(causes, patience).toEqual([
    [502, 'connection-failed'],
    [502, 'connection-failed'],
    [200, undefined],
  ]);
});
