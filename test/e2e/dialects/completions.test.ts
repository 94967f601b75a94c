import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { completionAnswer, completionStream } from '../../support/vendors/openai-completions-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const text = 'there was a bridge of stone.';
const body = { model: 'gpt-3.5-turbo-instruct', prompt: 'Once upon a time', max_tokens: 9 };

const target = (provider: string, more: object = {}): object => ({
  provider,
  api_key: 'callers-own-key',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});
const fallback = (...targets: readonly object[]): object => ({ strategy: { mode: 'fallback' }, targets });

const post = (config: object, more: object = {}, path = '/completions'): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: JSON.stringify({ ...body, ...more }),
  });

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
});
beforeEach(() => {
  upstream.handle((call) => {
    if (JSON.parse(call.request.text()).stream !== true) return call.json(completionAnswer(text));
    const stream = call.sse();
    for (const frame of completionStream(text)) stream.send(frame);
    stream.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const client = (config: object): OpenAI =>
  new OpenAI({
    apiKey: 'none',
    baseURL: gateway.baseUrl,
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': JSON.stringify(config) },
  });

describe('a text completion', () => {
  it('is sent to a provider that supports it, and its answer reaches the official client', async () => {
    const completion = await client(target('openai')).completions.create(body);
    expect(completion.choices[0]?.text).toBe(text);
    const sent = upstream.requests.at(-1);
    expect(sent?.path).toBe('/v1/completions');
    expect(JSON.parse(sent?.text() ?? '')).toEqual(body);
  });

  it('is sent to a deployment of Azure, with the parameters of the config', async () => {
    const settings = { deployment_id: 'instruct', api_version: '2024-10-21', override_params: { max_tokens: 3 } };
    expect((await post(target('azure-openai', settings))).status).toBe(200);
    const sent = upstream.requests.at(-1);
    expect(sent?.path).toBe('/v1/deployments/instruct/completions?api-version=2024-10-21');
    expect(JSON.parse(sent?.text() ?? '')).toMatchObject({ max_tokens: 3, prompt: body.prompt });
  });

  it('is streamed unchanged', async () => {
    const answer = await post(target('openai'), { stream: true });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(await answer.text()).toBe(completionStream(text).join(''));
    const pieces: string[] = [];
    for await (const chunk of await client(target('openai')).completions.create({ ...body, stream: true }))
      pieces.push(chunk.choices[0]?.text ?? '');
    expect(pieces.join('')).toBe(text);
  });

  it('ends with an error, without [DONE], if its stream breaks off', async () => {
    upstream.handle((call) => {
      const stream = call.sse();
      for (const frame of completionStream(text).slice(0, -1)) stream.send(frame);
      stream.end();
    });
    const received = await (await post(target('openai'), { stream: true })).text();
    expect(received).toContain('"code":"stream-cut"');
    expect(received).not.toContain('[DONE]');
  });

  it('falls back from a stream that fails before its first text', async () => {
    upstream.handle((call) => {
      const stream = call.sse();
      if (upstream.requests.length % 2 === 0) for (const frame of completionStream(text)) stream.send(frame);
      else stream.frame({ error: { message: 'Overloaded', type: 'server_error', param: null, code: null } });
      stream.end();
    });
    if (upstream.requests.length % 2 === 1) await post(target('openai'));
    const answer = await post(fallback(target('openai'), target('openai')), { stream: true });
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
    expect(await answer.text()).toContain('[DONE]');
  });
});

describe('guardrails', () => {
  const denies = (phase: 'input' | 'output', word: string): object =>
    target('openai', {
      [`${phase}_guardrails`]: [{ 'default.contains': { words: [word], operator: 'none' }, deny: true }],
    });

  it('judge the prompt', async () => {
    expect((await post(denies('input', 'upon'))).status).toBe(446);
    expect((await post(denies('input', 'dragon'))).status).toBe(200);
    expect((await post(denies('input', 'upon'), { prompt: ['Hello', 'Once upon'] })).status).toBe(446);
  });

  it('judge the text of the answer, whole and streamed', async () => {
    expect((await post(denies('output', 'stone'))).status).toBe(446);
    expect((await post(denies('output', 'dragon'))).status).toBe(200);
    const streamed = await (await post(denies('output', 'stone'), { stream: true })).text();
    expect(streamed).toContain('"code":"checks-failed"');
    expect(streamed).not.toContain('stone');
    expect(streamed).not.toContain('[DONE]');
    const harmless = await post(denies('output', 'dragon'), { stream: true });
    expect(await harmless.text()).toContain('[DONE]');
  });
});
