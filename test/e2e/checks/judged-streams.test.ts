import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const word = 'plutonium';

/** A check that judges windows, in addition to the built-in checks that judge the whole text. */
const plugin = `
const never = {
  id: 'test.never',
  parameters: { type: 'object', required: ['word'], properties: { word: { type: 'string', minLength: 1 } } },
  parts: ({ word }) => ({ overlap: word.length - 1 }),
  create: ({ word }) => async ({ text }) => ({ pass: !text.includes(word), data: {} }),
};
export default { name: 'test', api: 1, guardrails: [never] };
`;

const toConfig = (guardrails: object, provider = 'openai'): string =>
  JSON.stringify({
    provider,
    api_key: 'callers-own-key',
    custom_host: `${upstream.origin}/v1`,
    output_guardrails: [{ ...guardrails, deny: true }],
  });

const windowed = { 'test.never': { word } };
const whole = { 'default.contains': { words: [word], operator: 'none' } };

const openai = (guardrails: object, provider?: string): OpenAI =>
  new OpenAI({
    apiKey: 'k',
    baseURL: gateway.baseUrl,
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': toConfig(guardrails, provider) },
  });

const anthropic = (guardrails: object, provider?: string): Anthropic =>
  new Anthropic({
    apiKey: 'k',
    baseURL: gateway.baseUrl.replace(/\/v1$/, ''),
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': toConfig(guardrails, provider) },
  });

const says = (frames: readonly string[]): void =>
  upstream.handle((call) => {
    const stream = call.sse();
    for (const frame of frames) stream.send(frame);
    stream.end();
  });

/** The text that the client read, and the error that it then threw. */
const readChat = async (client: OpenAI): Promise<{ readonly text: string; readonly error: unknown }> => {
  let text = '';
  try {
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    });
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
};

const readMessages = async (client: Anthropic): Promise<{ readonly text: string; readonly error: unknown }> => {
  let text = '';
  try {
    const stream = await client.messages.create({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    });
    for await (const event of stream)
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
};

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({
    files: {
      'gateway.json': { plugins: [{ package: './never.js' }] },
      'never.js': plugin,
      'package.json': { type: 'module' },
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const long = `It is water, as far as anybody knows who was there. Or was it ${word} after all?`;

describe('a client of OpenAI', () => {
  it('gets 446 for a stream that is denied before anything has been sent', async () => {
    for (const guardrails of [windowed, whole]) {
      says(openaiStream({ text: word }));
      const { text, error } = await readChat(openai(guardrails));
      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(error).toMatchObject({ status: 446, type: 'hooks_failed' });
      expect(text).toBe('');
    }
  });

  it('gets an error in the stream if it is denied later, without the denied text', async () => {
    says(openaiStream({ text: long }));
    const { text, error } = await readChat(openai(windowed));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(String(error)).toContain('denied this answer');
    expect(text).toMatch(/^It is water/);
    expect(text).not.toContain(word);
  });

  it('reads all of a stream that is not denied', async () => {
    for (const guardrails of [windowed, whole]) {
      says(openaiStream({ text: 'It is water.' }));
      expect(await readChat(openai(guardrails))).toEqual({ text: 'It is water.', error: undefined });
    }
  });
});

describe('a client of Anthropic', () => {
  it.each(['anthropic', 'openai'])('gets the same errors from %s', async (provider) => {
    const stream = provider === 'anthropic' ? anthropicStream : openaiStream;
    says(stream({ text: word }));
    const early = await readMessages(anthropic(windowed, provider));
    expect(early.error).toBeInstanceOf(Anthropic.APIError);
    expect(early.error).toMatchObject({ status: 446 });
    says(stream({ text: long }));
    const late = await readMessages(anthropic(windowed, provider));
    expect(late.error).toBeInstanceOf(Anthropic.APIError);
    expect(late.text).not.toContain(word);
    says(stream({ text: 'It is water.' }));
    expect(await readMessages(anthropic(whole, provider))).toEqual({ text: 'It is water.', error: undefined });
  });
});

describe('a denied stream', () => {
  it('is cancelled at its provider', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    upstream.handle((call) => {
      const stream = call.sse();
      for (const frame of openaiStream({ text: long }).slice(0, -2)) stream.send(frame);
      void call.gone.then(resolve);
    });
    const { error } = await readChat(openai(windowed));
    expect(error).toBeInstanceOf(OpenAI.APIError);
    await closed;
  });
});
