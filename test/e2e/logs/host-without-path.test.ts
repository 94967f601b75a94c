import { expect, it, onTestFinished, vi } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { openaiError } from '../../support/vendors/openai-wire.ts';

const lacksPath = /^Add the path, such as \/v1, to the custom_host of the target:/;

it.each([
  ['', 'a config', lacksPath],
  ['', 'a header', lacksPath],
  ['/v1', 'a config', /^Correct the model in the request .* and its custom_host\.$/],
])(
  'hints in the line of a 404 whether the host %j of %s lacks a path, and forwards the answer unchanged',
  async (path, by, hint) => {
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
      headers: {
        'content-type': 'application/json',
        ...(by === 'a header' && {
          'x-gw-provider': 'openai',
          'x-gw-custom-host': upstream.origin,
          authorization: 'Bearer k',
        }),
      },
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
  },
);
