import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { openaiError } from '../../support/vendors/openai-wire.ts';

it.each([
  [429, 1, / or add "retry" with use_retry_after_headers, or add a fallback target\.$/],
  [429, 2, / or add "retry" with use_retry_after_headers\.$/],
  [503, 1, /add "retry" or a fallback target, and look at/],
  [503, 2, /add "retry", and look at/],
])(
  'a log line of a request that ends with %i after %i targets of a fallback suggests what its config lacks',
  async (status, count, hint) => {
    const upstream = await startUpstream((call) => call.json(openaiError('Not now.', 'busy'), { status }));
    const target = { provider: 'openai', api_key: '${env:KEY}', custom_host: `${upstream.origin}/v1` };
    const targets = Array.from({ length: count }, () => target);
    const gateway = await startGateway({
      files: {
        'gateway.json': { configs: 'configs', default_config: 'own' },
        'configs/own.json': { strategy: { mode: 'fallback' }, targets },
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
    expect(answer.status).toBe(status);
    await expect
      .poll(() => gateway.records().at(-1)?.problem, patience)
      .toMatchObject({
        ...{ cause: `upstream-${status}`, hint: expect.stringMatching(hint) },
      });
  },
);
