import { expect, it, onTestFinished, vi } from 'vitest';
import { startGateway } from '../../support/gateway-process.ts';
import { patience } from '../../support/patience.ts';
import { startUpstream } from '../../support/upstream-server.ts';
import { openaiError } from '../../support/vendors/openai-wire.ts';

it.each([
  ['', /^Add the path to the custom_host of the target, such as \/v1,/],
  ['/v1', /^Correct the model that the request names, .* and its custom_host\.$/],
])('says in the line of a 404 whether the host %j lacks a path, and leaves the answer as it is', async (path, hint) => {
  const body = openaiError('There is nothing here.', 'not_found');
  const upstream = await startUpstream((call) => call.json(body, { status: 404 }));
  const gateway = await startGateway({
    files: {
      'gateway.json': { configs: 'configs', default_config: 'own' },
      'configs/own.json': { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}${path}` },
    },
    env: { KEY: 'k', GW_LOG: 'requests', GW_TRUSTED_HOSTS: '127.0.0.1' },
  });
  onTestFinished(async () => {
    await gateway.stop();
    await upstream.close();
  });
  const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello?' }] }),
  });
  expect([answer.status, await answer.json()]).toEqual([404, body]);
  await vi.waitFor(
    () =>
      expect(gateway.records().at(-1)).toMatchObject({
        problem: { cause: 'upstream-404', hint: expect.stringMatching(hint) },
      }),
    patience,
  );
});
