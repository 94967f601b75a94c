import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const target = (provider: string, api_key: string, more: JsonObject = {}): JsonObject => ({
  provider,
  api_key,
  custom_host: `${world.upstream.origin}/v1`,
  ...more,
});
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback' },
  targets: [...targets],
});
const nobody = { custom_host: 'http://127.0.0.1:9/v1' };

/** Answers all keys but one with 500. Returns the keys in the order of their requests. */
const serve = (good: string): readonly string[] => {
  const keys: string[] = [];
  world.upstream.handle((call) => {
    const key = (call.request.header('authorization') ?? '').replace('Bearer ', '');
    keys.push(key);
    call.json({ by: key }, { status: key === good ? 200 : 500 });
  });
  return keys;
};

const send = (config: JsonObject, init: RequestInit = {}): Promise<Response> =>
  fetch(`${world.gateway.baseUrl}/things/1`, {
    ...init,
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
  });
const body = new Blob(['{"a":1}']).stream();

describe('a request that is passed through', () => {
  it.each(['GET', 'HEAD'])('is retried, and falls back to another target of its provider: %s', async (method) => {
    const keys = serve('b');
    const config = fallback(target('openai', 'a', { retry: { attempts: 1 } }), target('openai', 'b'));
    expect((await send(config, { method })).status).toBe(200);
    expect(keys).toEqual(['a', 'a', 'b']);
  });

  it.each(['GET', 'HEAD'])('does not fall back to another provider, which has another API: %s', async (method) => {
    const keys = serve('b');
    expect((await send(fallback(target('openai', 'a'), target('groq', 'b')), { method })).status).toBe(500);
    expect(keys).toEqual(['a']);
  });

  it('falls back to another target of its provider if its body was never sent', async () => {
    const keys = serve('b');
    const config = fallback(target('openai', 'a', nobody), target('openai', 'b'));
    expect((await send(config, { method: 'POST', body, duplex: 'half' } as RequestInit)).status).toBe(200);
    expect(keys).toEqual(['b']);
  });

  it('is not repeated if its body was sent', async () => {
    const keys = serve('b');
    const config = fallback(target('openai', 'a', { retry: { attempts: 2 } }), target('openai', 'b'));
    const sent = await send(config, { method: 'POST', body: new Blob(['x']).stream(), duplex: 'half' } as RequestInit);
    expect(sent.status).toBe(500);
    expect(keys).toEqual(['a']);
  });
});
