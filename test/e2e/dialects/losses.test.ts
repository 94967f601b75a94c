import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const message = {
  id: 'a',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'oui' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

let reporting: GatewayProcess;
let refusing: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [reporting, refusing, upstream] = await Promise.all([
    startGateway({ files: { 'gateway.json': {} } }),
    startGateway({ files: { 'gateway.json': { on_loss: 'refuse' } } }),
    startUpstream((call) => call.json(message)),
  ]);
});
afterAll(async () => {
  await Promise.all([reporting.stop(), refusing.stop()]);
  await upstream.close();
});

const ask = ({ baseUrl }: GatewayProcess, more: object): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify({ provider: 'anthropic', api_key: 'mine', custom_host: `${upstream.origin}/v1` }),
    },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more }),
  });

/** Asks a provider of chat completions that accepts only functions and texts. */
const askGroq = (route: string, more: object): Promise<Response> => {
  upstream.handle((call) => call.json(openaiAnswer({ text: 'oui' })));
  const custom_host = `${upstream.origin}/v1`;
  return fetch(`${reporting.baseUrl}/${route}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify({ provider: 'groq', api_key: 'mine', custom_host }),
    },
    body: JSON.stringify({ model: 'm', ...more }),
  });
};

describe('a request with members that the provider does not support', () => {
  it('is sent, and the response names what was dropped', async () => {
    const answer = await ask(reporting, { seed: 1, n: 2 });
    expect([answer.status, answer.headers.get('x-gw-dropped-params')]).toEqual([200, 'sampling.seed, sampling.count']);
    expect((await ask(reporting, {})).headers.has('x-gw-dropped-params')).toBe(false);
  });

  it('is refused if the gateway file says so', async () => {
    const answer = await ask(refusing, { seed: 1 });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'loss-refused' } });
    expect((await ask(refusing, {})).status).toBe(200);
  });

  it('loses nothing if a member is null, because null counts as absent', async () => {
    const nulls = { logit_bias: null, metadata: null, prediction: null, seed: null, n: null };
    expect((await ask(reporting, nulls)).headers.has('x-gw-dropped-params')).toBe(false);
    expect((await ask(refusing, nulls)).status).toBe(200);
  });

  it('loses nothing if a parameter has its default value', async () => {
    const usual = { n: 1, presence_penalty: 0, frequency_penalty: 0 };
    expect((await ask(reporting, usual)).headers.has('x-gw-dropped-params')).toBe(false);
    expect((await ask(refusing, usual)).status).toBe(200);
    expect((await ask(refusing, { ...usual, presence_penalty: 0.1 })).status).toBe(400);
  });

  it('reports content that the provider does not accept', async () => {
    const file = { type: 'base64', media_type: 'application/pdf', data: 'AA==' };
    const content = [
      { type: 'text', text: 'hi' },
      { type: 'document', source: file, title: 'a.pdf' },
    ];
    const answer = await askGroq('messages', { max_tokens: 5, messages: [{ role: 'user', content }] });
    expect(answer.headers.get('x-gw-dropped-params')).toBe('turns[0].parts[1].media');
    expect(upstream.requests.at(-1)?.json()).toMatchObject({ messages: [{ role: 'user', content: 'hi' }] });
  });

  it('reports the members of tools and calls that only the format of the client has', async () => {
    const tool = { name: 'f', input_schema: { type: 'object', properties: {} }, input_examples: [{ n: 1 }] };
    const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' };
    const answer = await askGroq('messages', {
      max_tokens: 5,
      tools: [tool, { ...tool, name: 'g', defer_loading: true }],
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {}, caller }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] },
      ],
    });
    expect(answer.headers.get('x-gw-dropped-params')?.split(', ')).toEqual([
      'tools[*].extensions.messages.input_examples',
      'tools[1].extensions.messages.defer_loading',
      'turns[1].parts[0].extensions.messages.caller',
    ]);
  });

  it('keeps such members in a request that is encoded again in the format of the client', async () => {
    const called = { name: 'f', parameters: { type: 'object', properties: {} }, examples: [{ n: 1 }] };
    const tools = [
      { type: 'function', function: called, defer_loading: true },
      { type: 'custom', custom: { name: 'g' } },
    ];
    const answer = await askGroq('chat/completions', { tools, messages: [{ role: 'user', content: 'hi' }] });
    expect(answer.headers.has('x-gw-dropped-params')).toBe(false);
    const sent = upstream.requests.at(-1)?.json();
    expect(sent).toMatchObject({ tools: [tools[0], { type: 'function', function: { name: 'g' } }] });
  });
});
