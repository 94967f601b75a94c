import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import { dialectPayloads } from '../../bench/dialects/dialect-payloads.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** A provider for each dialect of conversations. */
const providers = {
  chat: 'openai',
  messages: 'anthropic',
  gemini: 'google',
  converse: 'bedrock',
  cohere: 'cohere',
} as const;
const providerIds = Object.keys(providers) as (keyof typeof providers)[];

const toConfig = (dialect: keyof typeof providers, more: object = {}): string =>
  JSON.stringify({
    ...{ provider: providers[dialect], api_key: 'callers-own-key', custom_host: `${upstream.origin}/v1` },
    ...(dialect === 'converse' && { cloudc_region: 'eu-west-1' }),
    ...more,
  });

const toCodec = (id: string) => {
  const dialect = builtinDialects.find((each) => each.id === id);
  return (dialect && findAnswerCodec(dialect)) ?? expect.unreachable(`${id} has no codec`);
};

const toWhole = (id: string): string =>
  dialectPayloads.find((each) => each.id === id)?.whole ?? expect.unreachable(`${id} has no payload`);

/** The text of the answer that providers send, in every dialect. */
const expectedText = (): string => {
  const [choice] = toCodec('chat').decodeAnswer(fromJson(toWhole('chat')), { scope: '' }).choices;
  return choice?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('') ?? '';
};

const sendsJson = (body: string): void =>
  upstream.handle((call) => call.answer({ headers: { 'content-type': 'application/json' }, body }));

const readEvents = async (client: string, response: Response): Promise<readonly AnswerEvent[]> => {
  const type = response.headers.get('content-type') ?? '';
  const framing = Object.values(framings).find(({ contentType }) => type.startsWith(contentType));
  const splitter = framing?.createSplitter() ?? expect.unreachable(`${type} is no stream`);
  const decoder = toCodec(client).streamDecoder({ scope: '' });
  const { frames } = splitter.push(Buffer.from(await response.arrayBuffer()));
  return frames.flatMap((frame) => decoder.push(frame));
};

const send = (path: string, body: string, config: string): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path.replace(/^\/v1(?=\/)/, '')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': config },
    body,
  });

describe.each(dialectPayloads.map(({ id, request }) => ({ id, request })))('a client of $id', ({ id, request }) => {
  it.each(providerIds)('gets the stream that it asked for if %s answers with JSON', async (provider) => {
    // OpenAI serves clients of its Responses API in their own format.
    sendsJson(toWhole(id === 'responses' && provider === 'chat' ? id : provider));
    const { path, body } = request(true);
    const events = await readEvents(id, await send(path, body, toConfig(provider)));
    expect(events.map((event) => (event.kind === 'text' ? event.text : '')).join('')).toBe(expectedText());
    expect(events.filter(({ kind }) => kind === 'finish')).toMatchObject([{ finish: { reason: 'stop' } }]);
  });
});

describe('a client that asks for a stream', () => {
  const chat = dialectPayloads.find(({ id }) => id === 'chat') ?? expect.unreachable('no chat');
  const options = { apiKey: 'callers-own-key', maxRetries: 0 } as const;

  it('gets the whole answer with the library of OpenAI, with usage only if it asks for it', async () => {
    sendsJson(toWhole('chat'));
    const config = { 'x-gw-config': toConfig('chat') };
    const client = new OpenAI({ ...options, baseURL: gateway.baseUrl, defaultHeaders: config });
    const question = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
    for (const asked of [undefined, { include_usage: true }]) {
      const chunks: OpenAI.ChatCompletionChunk[] = [];
      const more = asked === undefined ? {} : { stream_options: asked };
      for await (const chunk of await client.chat.completions.create({ ...question, ...more, stream: true }))
        chunks.push(chunk);
      const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      expect(text).toBe(expectedText());
      expect(chunks.filter(({ usage }) => (usage ?? null) !== null)).toHaveLength(asked === undefined ? 0 : 1);
    }
  });

  it('gets the whole answer with the library of Anthropic', async () => {
    sendsJson(toWhole('messages'));
    const config = { 'x-gw-config': toConfig('messages') };
    const client = new Anthropic({
      ...options,
      baseURL: gateway.baseUrl.replace(/\/v1$/, ''),
      defaultHeaders: config,
    });
    const stream = client.messages.stream({
      ...{ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
    });
    const { content, stop_reason } = await stream.finalMessage();
    expect(content).toMatchObject([{ type: 'text', text: expectedText() }]);
    expect(stop_reason).toBe('end_turn');
  });

  it('gets content blocks only if it is not strict', async () => {
    sendsJson(toWhole('chat'));
    const { path, body } = chat.request(true);
    const strict = await send(path, body, toConfig('chat'));
    const loose = await send(path, body, toConfig('chat', { strict_llmv_compliance: false }));
    expect(await strict.text()).not.toContain('content_blocks');
    expect(await loose.text()).toContain('content_blocks');
  });

  it('gets a text that is longer than what is held of a stream', async () => {
    const text = '😀a'.repeat(600_000);
    const message = { role: 'assistant', content: text };
    sendsJson(JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    const { path, body } = chat.request(true);
    const events = await readEvents('chat', await send(path, body, toConfig('chat')));
    const texts = events.flatMap((event) => (event.kind === 'text' ? [event.text] : []));
    expect(texts.join('') === text).toBe(true);
  });

  it('gets the answer that output checks have judged', async () => {
    sendsJson(toWhole('chat'));
    const contains = { 'default.contains': { words: ['bridge'], operator: 'none' }, deny: true };
    const config = toConfig('chat', { output_guardrails: [contains] });
    const { path, body } = chat.request(true);
    const response = await send(path, body, config);
    expect(response.status).toBe(446);
    expect(await response.text()).not.toContain('1896');
  });

  it('gets JSON as it came if that is not an answer', async () => {
    const { path, body } = chat.request(true);
    for (const json of ['{"error":{"message":"Busy."}}', '{"detail":[]}']) {
      sendsJson(json);
      const response = await send(path, body, toConfig('chat'));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.text()).toBe(json);
    }
  });
});

it('a client that asks for no stream gets JSON as it came', async () => {
  sendsJson(toWhole('chat'));
  const { path, body } =
    dialectPayloads.find(({ id }) => id === 'chat')?.request(false) ?? expect.unreachable('no chat');
  const response = await send(path, body, toConfig('chat'));
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.text()).toBe(toWhole('chat'));
});
