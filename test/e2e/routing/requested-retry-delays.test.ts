import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let failures: readonly { readonly body: Json; readonly headers?: Readonly<Record<string, string>> }[] = [];
let requestCount = 0;

/** The error with which the service reports a used-up quota: https://cloud.google.com/apis/design/errors#error_details */
const exhausted = (retryDelay: Json): JsonObject => ({
  error: {
    code: 429,
    message: 'You exceeded your current quota.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  },
});
const answer = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
};

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => {
    const failure = failures[requestCount];
    requestCount += 1;
    if (failure === undefined) call.json(answer);
    else call.json(failure.body, { status: 429, headers: failure.headers ?? {} });
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => {
  requestCount = 0;
});

const config = (more: JsonObject = {}): string =>
  JSON.stringify({ provider: 'google', api_key: 'k', custom_host: `${upstream.origin}/v1beta`, ...more });
const headers = (more?: JsonObject): Record<string, string> => ({ 'x-gw-config': config(more) });
const openai = (maxRetries: number, more?: JsonObject): OpenAI =>
  new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'not-sent', maxRetries, defaultHeaders: headers(more) });
const chat = { model: 'gemini-2.5-flash', messages: [{ role: 'user' as const, content: 'Hi' }] };

const refusal = async (call: Promise<unknown>): Promise<{ readonly headers?: Headers; readonly status?: number }> =>
  await call.then(
    () => {
      throw new Error('It was answered.');
    },
    (error: unknown) => error as { headers?: Headers; status?: number },
  );

describe('the retry delay in an error of Gemini', () => {
  it.each<[string, Json, string | undefined]>([
    ['whole seconds', '34s', '34'],
    ['a fraction of a second, rounded up', '34.074824224s', '35'],
    ['zero', '0s', '0'],
    ['another unit, which is ignored', '34ms', undefined],
    ['a number, which is ignored', 34, undefined],
    ['a negative time, which is ignored', '-3s', undefined],
  ])('is sent as the header retry-after: %s', async (_, delay, expected) => {
    failures = [{ body: exhausted(delay) }];
    const error = await refusal(openai(0).chat.completions.create(chat));
    expect(error.status).toBe(429);
    expect(error.headers?.get('retry-after') ?? undefined).toBe(expected);
  });

  it('reaches the clients of Anthropic and Google, and clients that stream', async () => {
    failures = Array.from({ length: 3 }, () => ({ body: exhausted('7s') }));
    const anthropic = new Anthropic({
      baseURL: gateway.origin,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: headers(),
    });
    const error = await refusal(anthropic.messages.create({ ...chat, max_tokens: 9 }));
    expect(error.headers?.get('retry-after')).toBe('7');
    const streamed = await refusal(openai(0).chat.completions.create({ ...chat, stream: true }));
    expect(streamed.headers?.get('retry-after')).toBe('7');
    const response = await fetch(`${gateway.origin}/v1beta/models/gemini-2.5-flash:generateContent`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    });
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toEqual(exhausted('7s'));
  });

  it('is also found in the error list of a stream, and does not replace an existing header', async () => {
    failures = [{ body: [exhausted('7s')] }, { body: exhausted('7s'), headers: { 'retry-after': '3' } }];
    expect((await refusal(openai(0).chat.completions.create(chat))).headers?.get('retry-after')).toBe('7');
    expect((await refusal(openai(0).chat.completions.create(chat))).headers?.get('retry-after')).toBe('3');
  });

  it("applies to the gateway's own retry and to the library's", async () => {
    failures = [{ body: exhausted('90s') }];
    const retry = { retry: { attempts: 2, use_retry_after_headers: true } };
    expect((await refusal(openai(0, retry).chat.completions.create(chat))).status).toBe(429);
    expect(requestCount).toBe(1);
    failures = [{ body: exhausted('0s') }];
    requestCount = 0;
    const completion = await openai(1).chat.completions.create(chat);
    expect(completion.choices[0]?.message.content).toBe('Hi.');
  });
});

describe('the retry delay in a header of another provider', () => {
  const geminiError = async (provider: string, headersOfFailure: Readonly<Record<string, string>>): Promise<Json> => {
    failures = [{ body: { error: { message: 'Slow down.' } }, headers: headersOfFailure }];
    const response = await fetch(`${gateway.origin}/v1beta/models/m:generateContent`, {
      method: 'POST',
      headers: { ...headers({ provider }), 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    });
    return (await response.json()) as Json;
  };

  it.each<[string, Record<string, string>, string]>([
    ['openai', { 'retry-after': '7' }, '7s'],
    ['anthropic', { 'retry-after': '3' }, '3s'],
    ['openai', { 'retry-after': '2', 'retry-after-ms': '1500' }, '1.5s'],
  ])('reaches the clients of Google in the body: %s, %j', async (provider, given, retryDelay) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
    expect(await geminiError(provider, given)).toMatchObject({ error: { code: 429, details } });
  });

  it('is absent from the body if the provider sends no such header', async () => {
    const error = { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' };
    expect(await geminiError('openai', {})).toEqual({ error });
  });
});
