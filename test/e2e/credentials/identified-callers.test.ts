import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal, TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { serviceKeys } from '../../../runtime/access/service-keys.ts';
import { type IdentifiedGateway, startIdentifiedGateway } from '../../support/gateways/identified-gateway.ts';
import {
  type Answering,
  holder,
  type ScriptedIdentities,
  scriptedIdentities,
} from '../../support/in-process/scripted-identities.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
let before: number;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.handle((call) => call.json(openaiAnswer({ text: 'hello' })));
  before = upstream.requests.length;
});

const target = (parts: object = {}) => ({
  provider: 'openai',
  api_key: '${env:PROVIDER_KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...parts,
});

const configs = () => ({
  plain: target(),
  cached: target({ cache: { mode: 'simple' } }),
  forwarding: { provider: 'openai', custom_host: `${upstream.origin}/v1`, forward_headers: ['Authorization'] },
  tiers: {
    strategy: {
      mode: 'conditional',
      conditions: [
        { query: { 'metadata.tier': { $eq: 'gold' } }, then: 'gold' },
        { query: { 'metadata._user': { $eq: 'ann' } }, then: 'ann' },
        { query: { 'metadata._organisation': { $eq: 'o1' } }, then: 'organisation' },
      ],
      default: 'other',
    },
    targets: ['gold', 'ann', 'organisation', 'other'].map((name) =>
      target({ name, override_params: { model: `model-of-${name}` } }),
    ),
  },
});

const file = { identify: serviceKeys([{ id: 'team', key: 'key-of-the-file', tenant: 'team' }]) };

const start = (plane: ScriptedIdentities): Promise<IdentifiedGateway> =>
  startIdentifiedGateway([file, plane], configs());

const call = async (
  { origin }: IdentifiedGateway,
  headers: Record<string, string>,
  { path = '/v1/chat/completions', body = {} }: { path?: string; body?: object } = {},
) => {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }], ...body }),
  });
  return { status: answer.status, cache: answer.headers.get('x-gw-cache-status'), body: await answer.json() };
};

const keys: Readonly<Record<string, Principal>> = {
  'gw-key-of-ann': holder({ keyId: 'ann' }),
  'gw-key-of-bob': holder({ keyId: 'bob' }),
};
const own = JSON.stringify({ provider: 'openai', api_key: 'own', custom_host: 'https://example.org' });

describe.each<Answering>(['at once', 'later'])('a key that is identified %s', (answering) => {
  const paths = ['/v1/chat/completions', '/v1/messages', '/v1/assistants'];
  const refused = { status: 400, body: { error: { code: 'service-key-not-forwarded' } } };

  it.each(paths)('is never forwarded in Authorization on %s, whoever requests it', async (path) => {
    await using gateway = await start(scriptedIdentities(keys, { answering }));
    const authorization = 'Bearer gw-key-of-ann';
    for (const headers of [
      { authorization, 'x-gw-config': 'forwarding' },
      { authorization, 'x-gw-config': 'forwarding', 'x-gw-api-key': 'gw-key-of-bob' },
      { authorization, 'x-gw-config': own, 'x-gw-forward-headers': 'Authorization' },
      { authorization, 'x-gw-config': own, 'x-gw-forward-headers': 'AUTHORIZATION', 'x-gw-api-key': 'gw-key-of-ann' },
    ])
      expect(await call(gateway, headers, { path })).toMatchObject(refused);
    expect(await call(gateway, { authorization, 'x-gw-config': 'plain' }, { path })).toMatchObject({ status: 200 });
    expect(upstream.requests.length).toBe(before + 1);
    expect(upstream.requests.at(-1)?.header('authorization')).toBe('Bearer the value of ${env:PROVIDER_KEY}');
  });

  it("lets the caller's provider token be forwarded", async () => {
    await using gateway = await start(scriptedIdentities(keys, { answering }));
    const headers = { 'x-gw-api-key': 'gw-key-of-ann', authorization: 'Bearer of-a-provider' };
    expect(await call(gateway, { ...headers, 'x-gw-config': 'forwarding' })).toMatchObject({ status: 200 });
    expect(upstream.requests.at(-1)?.header('authorization')).toBe('Bearer of-a-provider');
  });

  it('is refused inside a config', async () => {
    await using gateway = await start(scriptedIdentities(keys, { answering }));
    const config = target({ api_key: 'gw-key-of-bob' });
    const headers = { 'x-gw-api-key': 'gw-key-of-ann', 'x-gw-config': JSON.stringify(config) };
    for (const _ of ['compiled anew', 'asked for again'])
      expect(await call(gateway, headers)).toMatchObject({
        status: 400,
        body: { error: { code: 'service-key-in-config' } },
      });
    expect(upstream.requests.length).toBe(before);
  });

  it('may also come from the gateway file', async () => {
    const plane = scriptedIdentities(keys, { answering });
    await using gateway = await start(plane);
    const headers = { 'x-gw-api-key': 'key-of-the-file', 'x-gw-config': 'plain' };
    expect(await call(gateway, headers)).toMatchObject({ status: 200 });
    expect(plane.asked).toEqual([]);
    await expect.poll(() => gateway.lines.length).toBe(1);
    expect(gateway.lines[0]).toMatchObject({ key: 'team' });
    expect(gateway.lines[0]).not.toHaveProperty('metadata');
  });
});

describe('a config with a text that cannot be looked up', () => {
  it('is refused until the lookup works', async () => {
    const plane = scriptedIdentities(keys);
    let away = true;
    const partly: ScriptedIdentities = {
      ...plane,
      identify: (presented) =>
        presented === 'gw-key-of-ann' || !away ? plane.identify(presented) : Promise.reject(new Error('away')),
    };
    await using gateway = await start(partly);
    const headers = { 'x-gw-api-key': 'gw-key-of-ann', 'x-gw-config': JSON.stringify(target({ api_key: 'own' })) };
    expect(await call(gateway, headers)).toMatchObject({
      status: 503,
      body: { error: { code: 'identity-unavailable' } },
    });
    expect(upstream.requests.length).toBe(before);
    away = false;
    expect(await call(gateway, headers)).toMatchObject({ status: 200 });
  });
});

describe('a refusal', () => {
  it("is written in the client's dialect", async () => {
    await using gateway = await start(scriptedIdentities({ key: holder({ scopes: new Set() }) }));
    expect(await call(gateway, { 'x-api-key': 'key' }, { path: '/v1/messages' })).toMatchObject({
      status: 403,
      body: {
        type: 'error',
        error: { type: 'permission_error', message: expect.stringContaining('completions.write') },
      },
    });
  });
});

describe('the metadata of a request', () => {
  /** The chosen model, and the metadata in the log. */
  const routed = async (principal: Principal, sent: object | undefined, body: object = {}) => {
    await using gateway = await start(scriptedIdentities({ key: principal }));
    const labels = sent === undefined ? {} : { 'x-gw-metadata': JSON.stringify(sent) };
    const { status } = await call(gateway, { 'x-gw-api-key': 'key', 'x-gw-config': 'tiers', ...labels }, { body });
    expect(status).toBe(200);
    await expect.poll(() => gateway.lines.length).toBe(1);
    const { model } = JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}') as { model: string };
    return { model, metadata: gateway.lines[0]?.metadata };
  };

  it("has the labels of the key in preference to the caller's, name by name", async () => {
    const key = holder({ defaults: { metadata: { tier: 'gold', _environment: 'test', _prompt: 'p1' } } });
    expect(await routed(key, { tier: 'lead', team: 'a', _environment: 'live' })).toEqual({
      model: 'model-of-gold',
      metadata: { tier: 'gold', team: 'a', _environment: 'test', _prompt: 'p1', _organisation: 'o1' },
    });
    expect(await routed(key, undefined)).toMatchObject({ model: 'model-of-gold' });
  });

  it("has the key's user, whatever the caller, its labels or the body contain", async () => {
    const key = holder({ userId: 'ann', defaults: { metadata: { _user: 'of-the-labels' } } });
    expect(await routed(key, { _user: 'eve' }, { user: 'eve' })).toMatchObject({
      model: 'model-of-ann',
      metadata: { _user: 'ann' },
    });
  });

  it('has the user of the body if nothing else names one', async () => {
    expect(await routed(holder(), undefined, { user: 'ann' })).toMatchObject({ model: 'model-of-ann' });
    expect(await routed(holder(), { _user: 'ann' }, { user: 'eve' })).toMatchObject({ model: 'model-of-ann' });
  });

  it('has the organisation if nothing else names one', async () => {
    expect(await routed(holder(), undefined)).toEqual({
      model: 'model-of-organisation',
      metadata: { _organisation: 'o1' },
    });
    expect(await routed(holder(), { _organisation: 'a-client-of-ours' })).toMatchObject({ model: 'model-of-other' });
    const pinned = holder({ defaults: { metadata: { _organisation: 'o1' } } });
    expect(await routed(pinned, { _organisation: 'another' })).toMatchObject({ model: 'model-of-organisation' });
  });

  it('is only what the caller sends if its identity has no metadata', async () => {
    const key: Principal = { tenant: 'w1' as TenantId, keyId: 'k1' };
    expect(await routed(key, { tier: 'gold' }, { user: 'ann' })).toEqual({
      model: 'model-of-gold',
      metadata: undefined,
    });
    expect(await routed(key, undefined, { user: 'ann' })).toMatchObject({ model: 'model-of-other' });
  });

  it('separates cached answers by the users of keys', async () => {
    const ann = holder({ userId: 'ann' });
    await using gateway = await start(scriptedIdentities({ ann, 'other-of-ann': ann, bob: holder({ userId: 'bob' }) }));
    const asked = async (key: string) =>
      (await call(gateway, { 'x-gw-api-key': key, 'x-gw-config': 'cached', 'x-gw-metadata': '{"_user":"x"}' })).cache;
    expect(await asked('ann')).toBe('MISS');
    expect(await asked('other-of-ann')).toBe('HIT');
    expect(await asked('bob')).toBe('MISS');
  });
});

describe('a key that is revoked while it streams', () => {
  it('is still served to the end of that stream, and refused afterwards', async () => {
    const plane = scriptedIdentities(keys);
    await using gateway = await start(plane);
    let go: () => void = () => {};
    const revoked = new Promise<void>((resolve) => {
      go = resolve;
    });
    upstream.handle(async (upstreamCall) => {
      const events = upstreamCall.sse();
      const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
      events.frame(chunk('first'));
      await revoked;
      events.frame(chunk('last'));
      events.done();
    });
    const headers = { 'x-gw-api-key': 'gw-key-of-ann', 'x-gw-config': 'plain' };
    const streaming = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(streaming.status).toBe(200);
    plane.know('gw-key-of-ann', undefined);
    expect(await call(gateway, headers)).toMatchObject({ status: 401, body: { error: { code: 'wrong-service-key' } } });
    go();
    expect(await streaming.text()).toMatch(/first.*last.*\[DONE\]/s);
  });
});
