import { describe, expect, it, onTestFinished } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { createGateway, type Gateway } from '../../../index.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { scriptedBody } from '../../../plugins/sdk/http/scripted-body.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../plugins/sdk/provider/provider.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const isStreamed = ({ body }: UpstreamRequest): boolean =>
  body.kind === 'bytes' && JSON.parse(new TextDecoder().decode(body.bytes)).stream === true;

const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'Naïve.' }, finish_reason: 'stop' }] };
const delta = { choices: [{ index: 0, delta: { role: 'assistant', content: 'Naïve.' }, finish_reason: 'stop' }] };

/** A provider that does not use Buffer. Its bytes are in the middle of larger memory. */
const plain = definePlugin({
  name: 'plain',
  providers: [
    defineProvider({
      id: 'plain',
      documentation: 'https://plain.invalid',
      credential: 'none',
      speaks: { chat: '/chat/completions' },
      headers: () => [],
      inProcess: (timers) => ({
        send: async (request, { cancellation }) => {
          const streamed = isStreamed(request);
          const text = streamed ? `data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n` : JSON.stringify(whole);
          const bytes = encode(`###${text}###`).subarray(3, -3);
          const type = streamed ? 'text/event-stream' : 'application/json';
          const body = scriptedBody({ steps: [{ bytes }], end: 'complete' }, { timers, cancellation });
          return { kind: 'answer', status: 200, headers: ['content-type', type], body };
        },
      }),
    }),
  ],
  apply: ({ response }) => {
    response.tap('plain', (answer) =>
      answer.body.kind === 'bytes'
        ? { ...answer, body: { kind: 'bytes', bytes: encode(new TextDecoder().decode(answer.body.bytes)) } }
        : answer,
    );
  },
});

const gatewayFor = (config: object): Gateway => {
  const catalogue = buildCatalogue([...builtinPlugins, plain]);
  const { plan } = compile(JSON.stringify(config), { trust: 'operator', catalogue });
  if (plan === undefined) throw new Error('The config has errors.');
  const gateway = createGateway({ plan, plugins: [plain] });
  onTestFinished(() => gateway.close());
  return gateway;
};

const ask = async (gateway: Gateway, path: string, body: object): Promise<string> => {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await gateway.fetch(new Request(`http://gateway.invalid/v1${path}`, request))).text();
};

const question = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Are you?' }] };
const contains = { 'default.contains': { words: ['Naïve'], operator: 'any' }, deny: true };

describe('a plugin that uses plain Uint8Arrays', () => {
  it.each([
    ['as it was received', {}, '/chat/completions'],
    ['in another dialect', {}, '/messages'],
    ['when it is checked', { output_guardrails: [contains] }, '/chat/completions'],
  ])('has its answer read %s', async (_, settings, path) => {
    const gateway = gatewayFor({ provider: 'plain', ...settings });
    expect(await ask(gateway, path, question)).toContain('Naïve.');
  });

  it.each(['/chat/completions', '/messages'])('has its stream read at %s', async (path) => {
    const gateway = gatewayFor({ provider: 'plain' });
    expect(await ask(gateway, path, { ...question, stream: true })).toContain('Naïve.');
  });
});
