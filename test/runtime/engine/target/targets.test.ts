import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { headerValue } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider, type Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

const ownProvider = (more: Partial<Provider>): readonly Plugin[] => [
  definePlugin({
    name: 'own',
    providers: [
      defineProvider({
        id: 'own',
        documentation: 'here',
        baseUrl: 'https://own.example',
        credential: 'none',
        speaks: { chat: '/chat' },
        headers: () => [],
        ...more,
      }),
    ],
  }),
];

/** Requests that name their provider themselves. */
const callers = (plugins: readonly Plugin[] = [], answer: object = {}) => {
  const world = runConfig(openai, { upstream: () => stubAnswer(answer), plugins });
  const linked = world.gateway.link({ plan: requestPlan, secrets: () => undefined });
  const send = (overrides: Exchange['overrides'], given: Partial<Exchange> = {}) =>
    world.clock.settle(world.gateway.handle(sampleExchange(question, { ...given, overrides }), linked));
  return { ...world, send };
};

describe('the headers of a modelled operation', () => {
  it('are those of the gateway and of the provider', async () => {
    const { handle, upstreams } = runConfig(openai, { upstream: () => stubAnswer({}) });
    await handle(sampleExchange(question));
    expect(upstreams.requests[0]?.headers).toEqual([
      'content-type',
      'application/json',
      'accept',
      'application/json, text/event-stream',
      'accept-encoding',
      'identity',
      'user-agent',
      'gatewright',
      'Authorization',
      'Bearer secret of env:key',
    ]);
  });

  it('include the client headers that the provider wants, but only from clients that speak its dialect', async () => {
    const request = { method: 'POST', path: '/', headers: ['X-Beta', 'b'], body: { kind: 'none' } } as const;
    const { send, upstreams } = callers(ownProvider({ clientHeaders: ['x-beta'] }));
    await send({ provider: 'own' }, { request });
    await send({ provider: 'own' }, { request, route: { operation: 'converse', dialect: 'messages' } });
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'x-beta'))).toEqual(['b', undefined]);
  });
});

describe('a credential that is required', () => {
  const needing = ownProvider({
    credential: 'required',
    credentialFields: ['key_id', 'key_secret'],
    headers: ({ key_id: id, key_secret: secret }) => ['x-key', `${id}/${secret}`],
  });

  it('is built from the token and the settings, by its fields', async () => {
    const { send, upstreams } = callers(needing);
    await send({ provider: 'own', credential: 'id', settings: { key_secret: 'secret', region: 'x' } });
    await send({ provider: 'own', settings: { key_id: 'other', key_secret: 'secret' } });
    await send({ provider: 'own', settings: { key_id: 'third', key_secret: 7 } });
    await send({ provider: 'own', settings: { key_id: 'fourth', key_secret: '' } });
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'x-key'))).toEqual([
      'id/secret',
      'other/secret',
      'third/undefined',
      'fourth/',
    ]);
  });

  it('is missing if none of its fields has a value, and the error names the provider', async () => {
    const { send, upstreams } = callers(needing);
    for (const overrides of [
      { provider: 'own' },
      { provider: 'own', credential: '' },
      { provider: 'own', settings: { region: 'x' } },
    ]) {
      const response = await send(overrides);
      expect(response).toMatchObject({ status: 401, cause: 'missing-credential' });
      expect(response.headers.join(' ')).toContain('x-should-retry false');
      expect(JSON.stringify(toJson(response))).toContain('The provider own needs');
    }
    expect(upstreams.requests).toEqual([]);
  });

  it('can be a header that the request forwards', async () => {
    const { send, upstreams } = callers();
    const request = {
      method: 'POST',
      path: '/',
      headers: ['AUTHORIZATION', 'Bearer own'],
      body: { kind: 'none' },
    } as const;
    await send({ provider: 'openai', forwardHeaders: ['Authorization'] }, { request });
    expect(headerValue(upstreams.requests[0]?.headers ?? [], 'authorization')).toBe('Bearer own');
    expect(await send({ provider: 'openai', forwardHeaders: ['x-team'] }, { request })).toMatchObject({ status: 401 });
  });

  it('can be a header that the config forwards', async () => {
    const config = { provider: 'openai', custom_host: 'https://a.example', forward_headers: ['X-API-Key'] };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer({}) });
    const request = { method: 'POST', path: '/', headers: ['x-api-key', 'own'], body: { kind: 'none' } } as const;
    await handle(sampleExchange(question, { request }));
    expect(headerValue(upstreams.requests[0]?.headers ?? [], 'x-api-key')).toBe('own');
  });
});

describe('what a caller brings', () => {
  it('is prepared once, and again for another caller', async () => {
    let made = 0;
    const counting = ownProvider({
      credential: 'required',
      headers: ({ api_key: key }) => {
        made += 1;
        return ['x-key', String(key)];
      },
    });
    const { send } = callers(counting);
    for (const credential of ['a', 'a', 'b', 'a']) await send({ provider: 'own', credential });
    expect(made).toBe(2);
  });

  it("is kept apart from a provider's own hosts if it determines the host", async () => {
    const { send, upstreams } = callers();
    await send({ provider: 'openai', credential: 'a' });
    await send({ provider: 'azure-openai', credential: 'a', settings: { resource_name: 'mine' } });
    // The first host is that of the operator's own config.
    expect(upstreams.opened.slice(1)).toEqual([
      { origin: 'https://api.openai.com', operatorHost: true },
      { origin: 'https://mine.openai.azure.com', operatorHost: false },
    ]);
  });

  it("shares the provider's own host in a caller's config too", async () => {
    const literal = { provider: 'openai', api_key: 'sk-literal' };
    const world = runConfig(literal, { upstream: () => stubAnswer({}), trust: 'caller' });
    await world.handle(sampleExchange(question, { secrets: world.secrets }));
    expect(world.upstreams.opened).toEqual([{ origin: 'https://api.openai.com', operatorHost: true }]);
  });
});

describe("a plan's target that takes its credential from requests", () => {
  it("is run with each caller's own, even if everything else is the same", async () => {
    const { gateway, clock, plan, upstreams } = runConfig(openai, { upstream: () => stubAnswer({}) });
    const targets = plan.targets.map((target) => ({ ...target, credential: { kind: 'request' } as const }));
    const linked = gateway.link({ plan: { ...plan, targets }, secrets: () => 'x' });
    const secrets: readonly string[] = [];
    for (const credential of ['a', 'b'])
      await clock.settle(gateway.handle(sampleExchange(question, { secrets, overrides: { credential } }), linked));
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'authorization'))).toEqual([
      'Bearer a',
      'Bearer b',
    ]);
  });
});

describe('an in-process provider', () => {
  it('is created once for all plans', async () => {
    let made = 0;
    const plugins = ownProvider({
      inProcess: () => {
        made += 1;
        return { send: async () => stubAnswer({}) };
      },
    });
    const { send, gateway, plan, upstreams } = callers(plugins);
    await send({ provider: 'own' });
    const targets = plan.targets.map((target) => ({ ...target, from: { kind: 'inline', provider: 'own' } }) as const);
    for (const _ of [1, 2]) gateway.link({ plan: { ...plan, targets }, secrets: () => 'x' });
    expect(made).toBe(1);
    expect(upstreams.opened).toHaveLength(1);
  });
});

describe('a provider that speaks several dialects', () => {
  const answer = {
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  };

  it('is called in its first conversational dialect if the client speaks none of them', async () => {
    const { send, upstreams } = callers(
      ownProvider({ speaks: { embeddings: '/e', martian: '/m', chat: '/c' } }),
      answer,
    );
    const route = { operation: 'converse', dialect: 'messages' } as const;
    const response = await send({ provider: 'own' }, { route });
    expect(upstreams.requests[0]?.path).toBe('/c');
    expect(toJson(response)).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'yes' }] });
    expect(response).toMatchObject({ status: 200, origin: 'upstream' });
    expect(headerValue(response.headers, 'content-type')).toBe('application/json');
  });

  it('is not called if none of them is conversational', async () => {
    const { send } = callers(ownProvider({ speaks: { embeddings: '/e', martian: '/m' } }));
    expect(await send({ provider: 'own' })).toMatchObject({ status: 501 });
  });

  it('does not take an inherited member of an object for a dialect', async () => {
    const { send } = callers(ownProvider({}));
    const route = { operation: 'converse', dialect: 'constructor' } as const;
    expect(await send({ provider: 'own' }, { route })).toMatchObject({ status: 501 });
  });
});

describe('a provider that fails', () => {
  it('when it is linked reports its error to the operator', () => {
    const headers = () => {
      throw new TypeError('no headers today');
    };
    expect(() =>
      runConfig({ provider: 'own' }, { upstream: () => stubAnswer({}), plugins: ownProvider({ headers }) }),
    ).toThrow('no headers today');
  });
});

describe('a model in the name of a target', () => {
  it('replaces the model of the body, and is replaced by an override', async () => {
    const saved = {
      providers: { mine: { provider: 'openai', credential: { api_key: '${env:KEY}' } } },
      virtualKeys: {},
      guardrails: {},
    };
    const bodies: unknown[] = [];
    for (const more of [{}, { override_params: { model: 'over' } }]) {
      const { handle, upstreams } = runConfig(
        { provider: '@mine/gpt-x', ...more },
        { upstream: () => stubAnswer({}), saved },
      );
      await handle(sampleExchange(question));
      const body = upstreams.requests[0]?.body;
      bodies.push(body?.kind === 'bytes' ? JSON.parse(body.bytes.toString()).model : undefined);
    }
    expect(bodies).toEqual(['gpt-x', 'over']);
  });
});
