import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { describe, expect, it, vi } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { responseStream } from '../../support/vendors/openai-responses-wire.ts';
import { refusalOf } from '../realtime/support/session-client.ts';
import {
  answerAsClaude,
  create,
  key,
  openResponses,
  responseId,
  servedResponses,
  socketAt,
} from './support/response-gateway.ts';

const served = servedResponses();
const open = (target: object = {}, more: Parameters<typeof openResponses>[2] = {}) =>
  openResponses(served(), target, more);

/** The body of the last request that the provider received. */
const lastBody = () => served().provider.requests.at(-1)?.json();

const asText = (text: string) => [{ type: 'text', text }];

describe('a WebSocket for responses', () => {
  it("answers OpenAI's own client with the events of any provider", async () => {
    const { baseUrl } = served().gateway;
    const client = new OpenAI({ baseURL: baseUrl, apiKey: key });
    const { headers: { 'x-gw-config': config = '' } = {} } = socketAt(served());
    const socket = new ResponsesWS(client, { headers: { 'x-gw-config': config } });
    const texts: string[] = [];
    const ended = new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('response.output_text.delta', ({ delta }) => texts.push(delta));
      socket.on('response.completed', ({ response }) => resolve(response.status ?? ''));
    });
    socket.send({ type: 'response.create', model: 'claude-sonnet-4-5', input: 'Hello?' });
    expect(await ended).toBe('completed');
    expect(texts.join('')).toBe('Hello!');
    expect(lastBody()).toMatchObject({ stream: true, messages: [{ role: 'user', content: asText('Hello?') }] });
    socket.close();
  });

  it('sends the target its own credential and no key of the gateway', async () => {
    const client = await open();
    client.send(create());
    await client.next('response.completed');
    const { head = '' } = served().provider.requests.at(-1) ?? {};
    expect(head).toContain('x-api-key: sk\r\n');
    expect(head).not.toContain(key);
    expect(head.toLowerCase()).not.toContain('websocket');
    client.socket.close();
    expect((await client.closed).code).toBe(1005);
  });

  it('accepts the key of a browser as a subprotocol', async () => {
    const { headers: { 'x-gw-config': config = '' } = {} } = socketAt(served());
    const client = await open(
      {},
      { headers: { 'x-gw-config': config }, protocols: ['responses', `openai-insecure-api-key.${key}`] },
    );
    expect(client.socket.protocol).toBe('responses');
    client.send(create());
    await client.next('response.completed');
    client.socket.close();
  });

  it('answers with the exact events that the provider has sent', async () => {
    served().provider.handle((call) => {
      const sse = call.sse();
      for (const frame of responseStream('as it is')) sse.send(frame);
      sse.end();
    });
    const client = await open({ provider: 'openai' });
    client.send(create());
    await client.next('response.completed');
    const sent = responseStream('as it is').map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)));
    expect(client.events).toEqual(sent);
    client.socket.close();
    served().provider.handle(answerAsClaude);
  });
});

describe('a conversation whose responses are stored nowhere', () => {
  it('continues by the id of its last response', async () => {
    const client = await open();
    client.send(create({ input: 'First.' }));
    const first = responseId(await client.next('response.completed'));
    client.send(create({ previous_response_id: first, input: [{ role: 'user', content: 'Second.' }] }));
    const second = responseId(await client.next('response.completed'));
    expect(lastBody().messages).toEqual([
      { role: 'user', content: asText('First.') },
      { role: 'assistant', content: asText('Hello!') },
      { role: 'user', content: asText('Second.') },
    ]);
    client.send(create({ previous_response_id: second, input: 'Third.' }));
    await client.next('response.completed');
    expect(lastBody().messages).toHaveLength(5);
    client.socket.close();
  });

  it('may be prepared without an answer', async () => {
    const client = await open();
    const before = served().provider.requests.length;
    client.send(create({ input: 'Prepared.', generate: false }));
    const prepared = await client.next('response.completed');
    expect(prepared).toMatchObject({ response: { status: 'completed', output: [], usage: { total_tokens: 0 } } });
    expect(served().provider.requests).toHaveLength(before);
    client.send(create({ previous_response_id: responseId(prepared), input: 'Now.' }));
    await client.next('response.completed');
    expect(JSON.stringify(lastBody().messages)).toMatch(/Prepared\..*Now\./);
    client.socket.close();
  });

  it('is not known on another connection', async () => {
    const client = await open();
    client.send(create());
    const id = responseId(await client.next('response.completed'));
    const other = await open();
    other.send(create({ previous_response_id: id }));
    expect(await other.next('error')).toMatchObject({ status: 400, error: { type: 'invalid_request_error' } });
    client.socket.close();
    other.socket.close();
  });

  it('keeps numbers that JavaScript cannot represent', async () => {
    const client = await open();
    const items = [
      { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{"id":12345678901234567890}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'found' },
    ];
    client.send(create({ input: items, tools: [{ type: 'function', name: 'find', parameters: { type: 'object' } }] }));
    const id = responseId(await client.next('response.completed'));
    client.send(create({ previous_response_id: id, input: 'And?' }));
    await client.next('response.completed');
    expect(served().provider.requests.at(-1)?.text()).toContain('"id":12345678901234567890');
    client.socket.close();
  });
});

describe('the responses of a connection', () => {
  it('run one after another in one lane, and at once in several', async () => {
    const { provider } = served();
    const waiting: (() => void)[] = [];
    provider.handle(async (call) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await answerAsClaude(call);
    });
    const client = await open();
    for (const stream_id of ['a', 'a', 'b']) client.send(create({ stream_id, input: stream_id }));
    await vi.waitFor(() => expect(waiting).toHaveLength(2), patience);
    for (const go of waiting.splice(0)) go();
    await vi.waitFor(() => expect(waiting).toHaveLength(1), patience);
    const completed = () => client.events.filter(({ type }) => type === 'response.completed');
    await vi.waitFor(
      () =>
        expect(
          completed()
            .map(({ stream_id }) => stream_id)
            .sort(),
        ).toEqual(['a', 'b']),
      patience,
    );
    waiting.pop()?.();
    await vi.waitFor(() => expect(completed()).toHaveLength(3), patience);
    expect(client.events.every(({ stream_id }) => stream_id === 'a' || stream_id === 'b')).toBe(true);
    client.socket.close();
    provider.handle(answerAsClaude);
  });

  it('end with the connection', async () => {
    const { provider } = served();
    const client = await open();
    const called = new Promise<UpstreamCall>((resolve) =>
      provider.handle((call) => {
        call.sse();
        resolve(call);
      }),
    );
    client.send(create());
    const { gone } = await called;
    client.socket.terminate();
    await gone;
    provider.handle(answerAsClaude);
  });

  it('have errors with the status that they have over HTTP', async () => {
    const { provider } = served();
    provider.handle((call) =>
      call.json(
        { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } },
        { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '7' } },
      ),
    );
    const client = await open();
    client.send(create({ stream_id: 'mine' }));
    expect(await client.next('error')).toMatchObject({
      ...{ status: 429, stream_id: 'mine', error: { message: 'slow down' } },
      headers: { 'retry-after': '7', 'x-gw-provider': 'anthropic' },
    });
    provider.handle(answerAsClaude);
    client.send(create());
    await client.next('response.completed');
    client.socket.close();
  });

  it('end with an error if their provider breaks off', async () => {
    const { provider } = served();
    provider.handle((call) => {
      const sse = call.sse();
      sse.send(
        'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"usage":{"input_tokens":1,"output_tokens":0}}}\n\n',
      );
      sse.send(
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hel"}}\n\n',
      );
      sse.cut();
    });
    const client = await open();
    client.send(create());
    await vi.waitFor(() => expect(client.events.map(({ type }) => type)).toContain('error'), patience);
    expect(client.events.map(({ type }) => type)).not.toContain('response.completed');
    client.socket.close();
    provider.handle(answerAsClaude);
  });
});

describe('a handshake for responses', () => {
  it.each([
    ['without a key', 401, { authorization: '' }],
    ['with a wrong key', 401, { authorization: 'Bearer another' }],
    ['with a config that is not valid', 400, { 'x-gw-config': '{"provider":7}' }],
    ['with an unknown header of the gateway', 400, { 'x-gw-confg': '{}' }],
  ])('is refused %s', async (_, status, headers) => {
    const target = socketAt(served());
    const refused = await refusalOf({ ...target, headers: { ...target.headers, ...headers } });
    expect([refused.status, refused.body]).toEqual([status, expect.stringContaining('"error"')]);
  });
});
