import { describe, expect, it } from 'vitest';
import { openaiCompatible } from '../../../../plugins/providers/shared/openai-compatible.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type ConfigWorld, runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { tongueRoute, tongueWith } from '../../../support/plugins/tongue.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true };
const openai = { provider: 'openai', api_key: '${env:KEY}' };
const metered = { usage: true };
const older = openaiCompatible({
  id: 'older',
  documentation: 'https://docs.example.com/api',
  baseUrl: 'https://api.example.com/v1',
  operations: ['chat'],
  drop: ['stream_options'],
});
const plugins = [tongueWith({ tongue: '/say' }), definePlugin({ name: 'older', providers: [older] })];

/** Returns the body that a provider receives. */
const sent = async (
  config: JsonObject,
  world: Omit<ConfigWorld, 'upstream'>,
  params: JsonObject = question,
  given: Partial<Exchange> = {},
): Promise<JsonObject> => {
  const upstream = (): ReturnType<typeof stubAnswer> => stubAnswer({ error: {} }, { status: 500 });
  const { handle, upstreams } = runConfig(config, { upstream, plugins, ...world });
  await handle(sampleExchange(params, given));
  const body = upstreams.requests[0]?.body;
  return body?.kind === 'bytes' ? JSON.parse(Buffer.from(body.bytes).toString()) : {};
};

const asks = { stream_options: { include_usage: true } };

describe('the usage of a stream is requested', () => {
  it('if something consumes it', async () => {
    expect(await sent(openai, metered)).toEqual({ ...question, ...asks });
    expect(await sent(openai, {}, question, { overrides: { usage: true } })).toEqual({ ...question, ...asks });
    expect(await sent(openai, {})).toEqual(question);
  });

  it('if the name of the stream member is written with escapes', async () => {
    const bytes = Buffer.from(JSON.stringify(question).replace('"stream"', '"\\u0073\\u0074r\\u0065am"'));
    const request = { method: 'POST', path: '/chat/completions', headers: [], body: { kind: 'bytes', bytes } } as const;
    const given = { overrides: { usage: true }, request };
    expect(await sent(openai, {}, question, given)).toEqual({ ...question, ...asks });
  });

  it('beside the other options of the stream, and even if the client declined it', async () => {
    const options = { include_obfuscation: false, include_usage: false };
    const { stream_options } = await sent(openai, metered, { ...question, stream_options: options });
    expect(stream_options).toEqual({ include_obfuscation: false, include_usage: true });
  });

  it('for a translated request', async () => {
    const params = { say: 'hi' };
    const route = { ...tongueRoute, model: 'm', stream: true };
    expect(await sent(openai, metered, params, { route })).toMatchObject({ stream: true, ...asks });
    expect(await sent(openai, {}, params, { route })).not.toHaveProperty('stream_options');
  });

  it('for a request from which values of other providers were removed', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'gw1.elsewhere.abc' } } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ];
    const body = await sent(openai, metered, { ...question, messages });
    expect(body).toMatchObject(asks);
    expect(JSON.stringify(body)).not.toContain('gw1.');
  });

  it('but not for a whole answer, nor from a provider that refuses the parameter', async () => {
    const { stream: _, ...whole } = question;
    expect(await sent(openai, metered, whole)).toEqual(whole);
    const mistral = { provider: 'mistral-ai', api_key: '${env:KEY}' };
    expect(await sent(mistral, metered)).not.toHaveProperty('stream_options');
    const route = { ...tongueRoute, model: 'm', stream: true };
    expect(await sent(mistral, metered, { say: 'hi' }, { route })).not.toHaveProperty('stream_options');
    expect(await sent({ provider: 'older', api_key: '${env:KEY}' }, metered)).toEqual(question);
  });

  it('but not again if the client or the config requests it', async () => {
    const own = { ...question, stream_options: { include_usage: true, include_obfuscation: false } };
    expect(await sent(openai, metered, own)).toEqual(own);
    const config = { ...openai, override_params: { stream_options: { include_usage: true, extra: 1 } } };
    expect((await sent(config, metered)).stream_options).toEqual({ include_usage: true, extra: 1 });
  });

  it('but not for a body that cannot be read, which the provider rejects', async () => {
    const exchange = sampleExchange(
      {},
      {
        json: () => {
          throw new Error('it is not JSON.');
        },
        request: { method: 'POST', path: '/', headers: [], body: { kind: 'bytes', bytes: Buffer.from('{"a":') } },
      },
    );
    const world = runConfig(openai, { upstream: () => stubAnswer({ error: {} }, { status: 400 }), ...metered });
    expect((await world.handle(exchange)).status).toBe(400);
    expect(world.upstreams.requests).toHaveLength(1);
  });
});
