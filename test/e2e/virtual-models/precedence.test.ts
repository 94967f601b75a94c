import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyDefaults } from '../../../plugins/sdk/exchange/exchange.ts';
import { type IdentifiedGateway, startIdentifiedGateway } from '../../support/gateways/identified-gateway.ts';
import { createCountingLimiter } from '../../support/in-process/counting-limiter.ts';
import { holder, scriptedIdentities } from '../../support/in-process/scripted-identities.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
let gateway: IdentifiedGateway;
let before: number;
const limiter = createCountingLimiter();

const target = (model?: string): object => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `${upstream.origin}/v1`,
  ...(model === undefined ? {} : { override_params: { model } }),
});

const keys: { readonly [key: string]: KeyDefaults } = {
  plain: {},
  lenient: { config: 'other' },
  strict: { config: 'other', allowConfigOverride: false },
  // `bare` has no config of its own, so there is nothing that it could be restricted to.
  bare: { allowConfigOverride: false },
};

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello.' })));
  const plane = scriptedIdentities(
    Object.fromEntries(Object.entries(keys).map(([key, defaults]) => [`key-${key}`, holder({ keyId: key, defaults })])),
  );
  const plans = { quick: target('real-1'), other: target('of-other'), open: { retry: { attempts: 1 } }, any: target() };
  gateway = await startIdentifiedGateway([plane], plans, {
    limiter,
    models: { fast: 'config:quick', local: '@echo/m', quick: 'config:other' },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream.close();
});
beforeEach(() => {
  before = upstream.requests.length;
});

const ask = async (
  headers: Record<string, string>,
  body: string | object = { model: 'fast' },
  path = '/v1/chat/completions',
): Promise<{ status: number; error: unknown; plan: string | undefined; sent: readonly unknown[] }> => {
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });
  const { error } = JSON.parse(await answer.text());
  return {
    status: answer.status,
    error: error?.code,
    plan: answer.headers.get('x-gw-plan')?.split('@')[0],
    sent: upstream.requests.slice(before).map((request) => JSON.parse(request.text()).model),
  };
};

const own = { authorization: 'Bearer of-the-caller' };
const host = (): Record<string, string> => ({ 'x-gw-custom-host': `${upstream.origin}/v1`, ...own });

/** A request for the model "fast", and the model that the provider receives: "real-1" is that of the virtual model. */
const rows: readonly (readonly [
  what: string,
  key: string,
  headers: () => Record<string, string>,
  outcome: { readonly sent?: string; readonly error?: string; readonly plan?: string },
])[] = [
  ['nothing else', 'plain', () => ({}), { sent: 'real-1', plan: 'quick' }],
  [
    'a config that is named in a header',
    'plain',
    () => ({ 'x-gw-config': 'other' }),
    { sent: 'of-other', plan: 'other' },
  ],
  ['a named config without a model', 'plain', () => ({ 'x-gw-config': 'any' }), { sent: 'fast', plan: 'any' }],
  ['a named config without a provider', 'plain', () => ({ 'x-gw-config': 'open' }), { error: 'missing-provider' }],
  [
    'a JSON config in a header',
    'plain',
    () => ({ 'x-gw-config': '{"retry":{"attempts":1}}' }),
    { error: 'missing-provider' },
  ],
  ['a provider in a header', 'plain', () => ({ 'x-gw-provider': 'openai', ...host() }), { sent: 'fast' }],
  ['a saved provider in a header', 'plain', () => ({ 'x-gw-provider': '@none' }), { error: 'invalid-header' }],
  ['a virtual key in a header', 'plain', () => ({ 'x-gw-virtual-key': 'none' }), { error: 'invalid-header' }],
  [
    'a custom host in a header',
    'plain',
    () => ({ 'x-gw-custom-host': `${upstream.origin}/x` }),
    { error: 'credential-origin-mismatch' },
  ],
  ['a default config of the key', 'lenient', () => ({}), { sent: 'real-1', plan: 'quick' }],
  ['a default config of a key that allows no other', 'strict', () => ({}), { sent: 'of-other', plan: 'other' }],
  [
    'such a key and a config in a header',
    'strict',
    () => ({ 'x-gw-config': 'any' }),
    { error: 'config-override-refused' },
  ],
  ['a key that allows no other config and has no default', 'bare', () => ({}), { sent: 'real-1', plan: 'quick' }],
];

describe('a virtual model', () => {
  it.each(rows)('has the expected precedence beside %s', async (_what, key, headers, outcome) => {
    const { sent, error, plan } = await ask({ 'x-gw-api-key': `key-${key}`, ...headers() });
    expect({ sent, error }).toEqual({
      sent: outcome.sent === undefined ? [] : [outcome.sent],
      error: outcome.error,
    });
    if (outcome.plan !== undefined) expect(plan).toBe(outcome.plan);
  });

  it.each(rows)('is listed only if it would be served, beside %s', async (_what, key, headers, { sent, error }) => {
    const answer = await fetch(`${gateway.origin}/v1/models`, {
      headers: { 'x-gw-api-key': `key-${key}`, ...headers() },
    });
    const isServed = sent === 'real-1' || error === 'credential-origin-mismatch';
    expect((await answer.text()).includes('"fast"')).toBe(isServed);
  });

  const plain = { 'x-gw-api-key': 'key-plain' };

  it('is resolved once: the model of its config is not resolved as another virtual model', async () => {
    expect(await ask(plain, { model: 'quick' })).toMatchObject({ plan: 'other', sent: ['of-other'] });
  });

  it('is not confused with a property that every object has', async () => {
    for (const model of ['constructor', '__proto__', 'toString'])
      expect(await ask(plain, { model })).toMatchObject({ error: 'missing-provider', sent: [] });
  });

  it('is reported to limits as the model that is called', async () => {
    await ask(plain);
    await ask(plain, { model: 'fast', prompt: 'A cat.' }, '/v1/images/generations');
    const [chat, image] = limiter.requests.slice(-2);
    for (const request of [chat, image]) {
      expect(request?.plan).toBe('quick');
      expect(request?.attempts.map(({ attempt: { model } }) => model)).toEqual(['real-1']);
    }
  });

  const twice = (first: string, last: string): string => `{"model":"${first}","messages":[],"model":"${last}"}`;

  it.each([twice('gpt-4o', 'fast'), '{"\\u006dodel":"gpt-4o","messages":[],"model":"fast"}'])(
    'is refused in a body that names two models: %s',
    async (body) => {
      for (const path of ['/v1/chat/completions', '/v1/images/generations'])
        expect(await ask(plain, body, path)).toMatchObject({ status: 400, error: 'malformed-body', sent: [] });
    },
  );

  it('does not hide another model that the body names for further calls', async () => {
    const limits = await ask(plain, { model: 'fast', fallbacks: ['gpt-4o'] });
    expect(limits.sent.every((model) => model === 'real-1')).toBe(true);
  });

  const google = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };

  it.each([
    ['fast', 'local', ['real-1']],
    ['nothing', 'fast', []],
  ])('is taken from the path, whatever the body names: %s before %s', async (inPath, model, sent) => {
    const answer = await ask(plain, { ...google, model }, `/v1beta/models/${inPath}:generateContent`);
    expect(answer.sent).toEqual(sent);
  });
});
