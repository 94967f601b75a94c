import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiError, openaiStream, type Reply } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const reply: Reply = {
  text: 'Let me look.',
  toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Graz"}' }],
};
const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } };
const question = {
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'What is the weather in Graz?' }],
  tools: [weather],
  tool_choice: 'REQUIRED',
  p: 0.5,
  max_tokens: 20,
};

const config = (): string =>
  JSON.stringify({ provider: 'openai', api_key: 'callers-own-key', custom_host: `${upstream.origin}/v1` });

const post = (body: object, url = `${gateway.baseUrl}/v2/chat`): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config() },
    body: JSON.stringify({ ...question, ...body }),
  });

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => {
    const { stream } = JSON.parse(call.request.text());
    if (call.request.text().includes('Fail.'))
      return call.json(openaiError('Slow down.', 'rate_limit_error'), { status: 429 });
    if (stream !== true) return call.json(openaiAnswer(reply));
    const sse = call.sse();
    for (const frame of openaiStream(reply)) sse.send(frame);
    sse.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe("a client of Cohere's chat with a provider of OpenAI's format", () => {
  it.each(['below the base URL', 'at the root'])('is answered in its own format %s', async (where) => {
    const url = where === 'at the root' ? `${new URL(gateway.baseUrl).origin}/v2/chat` : undefined;
    const answer = await post({}, url);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'Let me look.' }],
        tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"city":"Graz"}' } }],
      },
      finish_reason: 'TOOL_CALL',
      usage: { tokens: { input_tokens: 21, output_tokens: 9 }, cached_tokens: 4 },
    });
    const sent = upstream.requests.at(-1);
    expect(sent?.path).toBe('/v1/chat/completions');
    expect(JSON.parse(sent?.text() ?? '')).toMatchObject({ top_p: 0.5, tool_choice: 'required' });
  });

  it('gets a stream in its own events', async () => {
    const text = await (await post({ stream: true })).text();
    const events = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(events.filter((name, index) => name !== events[index - 1])).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'content-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'message-end',
    ]);
    expect(text).toContain('"finish_reason":"TOOL_CALL"');
  });

  it('gets errors of the provider and of the gateway as messages', async () => {
    const failed = await post({ messages: [{ role: 'user', content: 'Fail.' }] });
    expect([failed.status, await failed.json()]).toEqual([429, { message: 'Slow down.' }]);
    const invalid = await post({ messages: 'Hi' });
    expect(invalid.status).toBe(400);
    expect(await invalid.json()).toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('messages'),
    });
  });
});
