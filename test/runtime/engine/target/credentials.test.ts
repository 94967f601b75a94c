import { describe, expect, it } from 'vitest';
import { headerValue } from '../../../../plugins/sdk/http/http.ts';
import { toFingerprint, toStateKey } from '../../../../runtime/engine/target/state-key.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';
import { hashText } from '../../../../schema/json/canonical.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange, toTenant } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const answering = { upstream: () => stubAnswer({}) };
const opaque = { route: { operation: 'opaque' } } as const;

const begin = () => {
  const world = runConfig(openai, answering);
  const linked = world.gateway.link({ plan: requestPlan, secrets: () => undefined });
  const send = (overrides: NonNullable<Parameters<typeof sampleExchange>[1]>['overrides'], given = {}) =>
    world.clock.settle(
      world.gateway.handle(sampleExchange({ model: 'm' }, { ...given, overrides: overrides ?? {} }), linked),
    );
  return { ...world, send };
};

describe('a saved credential', () => {
  it.each([
    ['a host', { customHost: 'https://evil.example/v1?key=1' }, 'evil.example'],
    ['an invalid host', { customHost: 'key=1' }, 'sent to a host'],
    ['headers to forward', { forwardHeaders: ['cookie'] }, 'x-gw-forward-headers'],
    [
      'a host and brings its own credential, which the plan does not use',
      { customHost: 'https://a.example', credential: 'own' },
      'a.example',
    ],
  ])('is not sent, nor is anything else, if the request chooses %s', async (_, overrides, message) => {
    const config = { strategy: { mode: 'fallback' }, targets: [openai, openai] };
    const { handle, upstreams } = runConfig(config, answering);
    for (const given of [{ overrides }, { overrides, ...opaque }]) {
      const response = await handle(sampleExchange({}, given));
      expect(response).toMatchObject({ status: 400, cause: 'credential-origin-mismatch' });
      expect(JSON.stringify(toJson(response))).not.toContain('key=1');
      expect(JSON.stringify(toJson(response))).toContain(message);
    }
    expect(upstreams.requests).toEqual([]);
  });

  it('is not sent, even as a literal of a saved config, if the request chooses a host or headers', async () => {
    const own = { provider: 'openai', api_key: 'sk-sealed-literal' };
    const cloud = { provider: 'bedrock', cloudc_access_key_id: 'AKIA', cloudc_secret_access_key: 'sealed' };
    for (const config of [own, cloud, { strategy: { mode: 'fallback' }, targets: [own, cloud] }]) {
      const { handle, upstreams, secrets } = runConfig(config, { ...answering, trust: 'saved' });
      for (const overrides of [{ customHost: 'https://evil.example' }, { forwardHeaders: ['cookie'] }])
        for (const given of [
          { overrides, secrets },
          { overrides, secrets, ...opaque },
        ])
          expect(await handle(sampleExchange({ model: 'm' }, given))).toMatchObject({
            status: 400,
            cause: 'credential-origin-mismatch',
          });
      expect([upstreams.requests, upstreams.opened.filter(({ origin }) => origin.includes('evil'))]).toEqual([[], []]);
    }
  });

  it('goes to the custom host of its own saved config, with the headers that the config forwards', async () => {
    const config = {
      provider: 'openai',
      api_key: 'sk-sealed',
      custom_host: 'https://own.example',
      forward_headers: ['x-team'],
    };
    const { handle, upstreams, secrets } = runConfig(config, { ...answering, trust: 'saved' });
    const body = { kind: 'bytes', bytes: Buffer.from('{}') } as const;
    const request = { method: 'POST', path: '/', headers: ['x-team', 'red', 'x-other', 'blue'], body };
    expect(await handle(sampleExchange({}, { secrets, request }))).toMatchObject({ status: 200 });
    const [{ origin, headers } = { origin: '', headers: [] }] = upstreams.requests;
    expect(origin).toBe('https://own.example');
    expect(['authorization', 'x-team', 'x-other'].map((name) => headerValue(headers, name))).toEqual([
      'Bearer sk-sealed',
      'red',
      undefined,
    ]);
  });

  it('is sent if the request names no header to forward', async () => {
    const { handle } = runConfig(openai, answering);
    expect(await handle(sampleExchange({}, { overrides: { forwardHeaders: [] } }))).toMatchObject({ status: 200 });
  });

  it('goes to the custom host of its own target', async () => {
    const { handle, upstreams } = runConfig({ ...openai, custom_host: 'https://own.example' }, answering);
    await handle(sampleExchange({}));
    expect(headerValue(upstreams.requests[0]?.headers ?? [], 'authorization')).toBe('Bearer secret of env:key');
  });
});

describe('a credential that the request brought', () => {
  it("is sent in the provider's own form", async () => {
    const { send, upstreams } = begin();
    await send({ provider: 'anthropic', credential: 'mine' }, opaque);
    expect(headerValue(upstreams.requests[0]?.headers ?? [], 'x-api-key')).toBe('mine');
  });

  it('goes to the host that the request chose, with the headers that it forwards', async () => {
    const { send, upstreams } = begin();
    const request = { method: 'POST', path: '/chat/completions', headers: ['X-Team', 'a'], body: { kind: 'none' } };
    await send(
      { provider: 'openai', credential: 'mine', customHost: 'https://own.example/v7', forwardHeaders: ['x-team'] },
      { request },
    );
    expect(upstreams.requests[0]).toMatchObject({ origin: 'https://own.example', path: '/v7/chat/completions' });
    expect(upstreams.requests[0]?.headers).toContain('X-Team');
    expect(upstreams.opened.at(-1)).toEqual({ origin: 'https://own.example', operatorHost: false });
  });

  it('goes with the headers that the request names in place of those of its config', async () => {
    const config = { provider: 'openai', api_key: 'sk-one-literal', forward_headers: ['x-one'] };
    const { handle, upstreams, secrets } = runConfig(config, { ...answering, trust: 'caller' });
    const body = { kind: 'bytes', bytes: Buffer.from('{"model":"m"}') } as const;
    const request = { method: 'POST', path: '/chat/completions', headers: ['x-one', '1', 'x-two', '2'], body };
    const sent = async (forwardHeaders: readonly string[] | undefined): Promise<readonly (string | undefined)[]> => {
      const overrides = forwardHeaders === undefined ? {} : { forwardHeaders };
      await handle(sampleExchange({ model: 'm' }, { secrets, overrides, request }));
      const headers = upstreams.requests.at(-1)?.headers ?? [];
      return [headerValue(headers, 'x-one'), headerValue(headers, 'x-two')];
    };
    expect([await sent(['X-Two']), await sent([]), await sent(undefined)]).toEqual([
      [undefined, '2'],
      ['1', undefined],
      ['1', undefined],
    ]);
  });

  it('is never used for another caller', async () => {
    const { send, upstreams } = begin();
    for (const credential of ['a', 'b', 'a']) await send({ provider: 'openai', credential });
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'authorization'))).toEqual([
      'Bearer a',
      'Bearer b',
      'Bearer a',
    ]);
  });

  it('is required if the provider needs one, unless the request chooses a host', async () => {
    const { send } = begin();
    expect(await send({ provider: 'openai' })).toMatchObject({
      status: 401,
      cause: 'missing-credential',
      leaf: { provider: 'openai' },
    });
    expect(await send({ provider: 'openai', customHost: 'https://own.example' })).toMatchObject({ status: 200 });
  });

  it('is found by its slot if it is part of a config', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      targets: [
        { provider: 'openai', api_key: 'sk-one-literal' },
        { provider: 'openai', api_key: 'sk-two-literal' },
      ],
    };
    const down = runConfig(config, { upstream: () => stubAnswer({}, { status: 500 }), trust: 'caller' });
    for (const secrets of [down.secrets, [...down.secrets].reverse(), down.secrets])
      await down.handle(sampleExchange({}, { secrets }));
    const sent = down.upstreams.requests.map(({ headers }) => headerValue(headers, 'authorization')?.slice(10, 13));
    expect(sent).toEqual(['one', 'two', 'two', 'one', 'one', 'two']);
  });
});

describe('a provider that a request names', () => {
  it('is an error with the nearest name if it is unknown', async () => {
    const { send } = begin();
    const response = await send({ provider: 'opnai', credential: 'a' });
    expect(response).toMatchObject({ status: 400, cause: 'unknown-provider' });
    expect(JSON.stringify(toJson(response))).toContain('Did you mean \\"openai\\"?');
    expect(JSON.stringify(toJson(await send({ provider: 'zzzzzzzzz' })))).toContain(
      'Run gw providers kinds to list all.',
    );
  });

  it('is missing if there is no name', async () => {
    const { send } = begin();
    expect(await send({})).toMatchObject({ status: 400, cause: 'missing-provider' });
  });

  it('ends the request if it is unknown, because no other branch could correct the name', async () => {
    const config = {
      strategy: { mode: 'fallback' },
      targets: [openai, { ...openai, custom_host: 'https://b.example' }],
    };
    const { gateway, clock, plan, upstreams } = runConfig(config, answering);
    const targets = plan.targets.map((target, index) =>
      index === 0 ? ({ ...target, from: { kind: 'request' } } as const) : target,
    );
    const linked = gateway.link({ plan: { ...plan, targets }, secrets: () => 'x' });
    const exchange = sampleExchange({}, { overrides: { provider: 'opnai' } });
    expect(await clock.settle(gateway.handle(exchange, linked))).toMatchObject({ cause: 'unknown-provider' });
    expect(upstreams.requests).toEqual([]);
  });

  it('needs a host if it has no address of its own, and the error reports what else is missing', async () => {
    const { send, upstreams } = begin();
    expect(await send({ provider: 'ollama' })).toMatchObject({ status: 400, cause: 'missing-base-url' });
    const azure = await send({ provider: 'azure-openai', credential: 'a' });
    expect(JSON.stringify(toJson(azure))).toContain('resource_name is missing');
    await send({ provider: 'azure-openai', credential: 'a', settings: { resource_name: 'mine' } });
    expect(upstreams.requests[0]).toMatchObject({
      origin: 'https://mine.openai.azure.com',
      path: '/openai/v1/chat/completions',
    });
  });

  it('is called at a path computed from the body if its path depends on the body', async () => {
    const { send, upstreams } = begin();
    const settings = { resource_name: 'mine', api_version: '2024-06-01' };
    await send({ provider: 'azure-openai', credential: 'a', settings });
    expect(upstreams.requests[0]?.path).toBe('/openai/deployments/m/chat/completions?api-version=2024-06-01');
  });
});

describe('a key of state', () => {
  it('distinguishes tenants, leaves and credentials, and does not contain the credential', () => {
    const key = (tenant: string, leaf: string, credential: string | null) =>
      toStateKey({
        tenant: toTenant(tenant),
        leaf: hashText(leaf),
        owner: toFingerprint(credential === null ? null : { api_key: credential }),
      });
    const keys = [
      key('a', 'l', 'secret'),
      key('b', 'l', 'secret'),
      key('a', 'm', 'secret'),
      key('a', 'l', 'other'),
      key('a', 'l', null),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key('a', 'l', 'secret')).toBe(keys[0]);
    expect(keys.join()).not.toContain('secret');
    expect(toFingerprint({ api_key: 'secret' })).toMatch(/^[0-9a-f]{16}$/);
  });
});
