import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const providers = ['openai', 'anthropic', 'google', 'cohere'] as const;
const said = 'Write to ada@example.org.';

/** The same request in each dialect of conversations. */
const clients: Readonly<Record<string, object>> = {
  '/chat/completions': { messages: [{ role: 'user', content: said }] },
  '/responses': { input: said },
  '/messages': { max_tokens: 100, messages: [{ role: 'user', content: said }] },
};

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json({ error: { message: 'away' } }, { status: 400 }));
  gateway = await startGateway({
    files: {
      'gateway.json': {
        ...{ configs: 'configs', default_config: 'masked', trusted_hosts: ['127.0.0.1'] },
        providers: Object.fromEntries(
          providers.map((provider) => [
            `my-${provider}`,
            { provider, credential: { api_key: '${env:KEY}' }, settings: { custom_host: `${upstream.origin}/v1` } },
          ]),
        ),
      },
      'configs/masked.json': {
        input_guardrails: [{ 'default.pii': { categories: ['email'], action: 'redact' }, deny: true }],
      },
    },
    env: { KEY: 'key' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe.each(Object.entries(clients))(
  'a model that names its provider, in a request to %s that a check changes',
  (path, body) => {
    it.each(providers.flatMap((provider) => [`@my-${provider}/m-1`, `${provider}/m-1`]))(
      'reaches the provider without the prefix: %s',
      async (model) => {
        await fetch(`${gateway.baseUrl}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model, ...body }),
        });
        const sent = upstream.requests.at(-1);
        const text = String(sent?.body);
        expect(text).toContain('[EMAIL]');
        expect(text).not.toContain('ada@example.org');
        expect(`${sent?.path} ${text}`).toContain('m-1');
        expect(`${sent?.path} ${text}`).not.toMatch(/[@/"](?:my-)?(?:openai|anthropic|google|cohere)\/m-1/);
      },
    );
  },
);
