import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { defineProvider, type Provider } from '../../../../plugins/sdk/provider/provider.ts';
import type { Names } from '../../../../runtime/engine/plugins/names.ts';
import { prepareTarget } from '../../../../runtime/engine/target/prepare-target.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { createStubUpstreams, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const literal = { provider: 'openai', api_key: 'sk-literal' };
const answering = { upstream: () => stubAnswer({}), trust: 'caller' } as const;

describe("a caller's config with a literal secret", () => {
  it('is not read again while its secrets are the same', async () => {
    const { handle, secrets: found } = runConfig(literal, answering);
    let looks = 0;
    const counting = (): readonly string[] =>
      Object.assign([...found], {
        toJSON: () => {
          looks += 1;
          return found;
        },
      });
    const secrets = counting();
    for (const _ of [1, 2, 3]) await handle(sampleExchange({}, { secrets }));
    expect(looks).toBe(1);
    await handle(sampleExchange({}, { secrets: counting() }));
    expect(looks).toBe(2);
  });

  it('can go to the host that a request chooses, for that request only', async () => {
    const { handle, secrets, upstreams } = runConfig(literal, answering);
    for (const overrides of [{}, { customHost: 'https://other.example/v1' }, {}])
      await handle(sampleExchange({}, { secrets, overrides }));
    expect(upstreams.requests.map(({ origin }) => origin)).toEqual([
      'https://api.openai.com',
      'https://other.example',
      'https://api.openai.com',
    ]);
  });

  it('has no credential if its secret is missing', async () => {
    const { handle, upstreams } = runConfig(literal, answering);
    expect(await handle(sampleExchange({}, { secrets: [] }))).toMatchObject({ status: 401 });
    expect(upstreams.requests).toEqual([]);
  });
});

describe('circuits', () => {
  it('of credentials that callers bring are separate', async () => {
    const config = { ...literal, cb_config: { failure_threshold: 1, cooldown_interval: 60_000 } };
    const { handle } = runConfig(config, { ...answering, upstream: () => stubAnswer({}, { status: 503 }) });
    const opened = async (secret: string): Promise<boolean> => {
      const exchange = sampleExchange({}, { secrets: [secret] });
      await handle(exchange);
      return exchange.trail.some(({ kind }) => kind === 'circuitChanged');
    };
    expect([await opened('a'), await opened('b'), await opened('a')]).toEqual([true, true, false]);
  });

  it("of a caller's config are separate from those of the operator's", async () => {
    const breaker = { cb_config: { failure_threshold: 1, cooldown_interval: 60_000 } };
    const down = { upstream: () => stubAnswer({}, { status: 503 }) };
    const callers = runConfig({ ...literal, ...breaker }, { ...down, trust: 'caller' });
    const { gateway, clock, linked } = runConfig({ ...literal, api_key: '${env:KEY}', ...breaker }, down);
    const own = gateway.link({ plan: callers.plan, secrets: () => undefined, callerPlan: true });
    const opened: boolean[] = [];
    for (const plan of [linked, own, linked, own]) {
      const exchange = sampleExchange({}, { secrets: callers.secrets });
      await clock.settle(gateway.handle(exchange, plan));
      opened.push(exchange.trail.some(({ kind }) => kind === 'circuitChanged'));
    }
    expect(opened).toEqual([true, true, false, false]);
  });
});

describe('a prepared target', () => {
  const speaking = (speaks: Provider['speaks'], more: Partial<Parameters<typeof prepareTarget>[0]> = {}) => {
    const lookedUp: string[] = [];
    const names: Names = {
      provider: () => undefined,
      check: () => undefined,
      cache: () => undefined,
      chooser: () => undefined,
      declaration: () => undefined,
      dialect: (id) => {
        lookedUp.push(id);
        return { ...chat, id };
      },
    };
    const provider = defineProvider({
      id: 'own',
      documentation: 'here',
      baseUrl: 'https://own.example',
      credential: 'none',
      speaks,
      headers: () => [],
    });
    const spec = {
      provider,
      credential: null,
      settings: {},
      customHost: undefined,
      callerHost: false,
      byRequest: false,
      isOperators: false,
    };
    const world = { names, upstreams: createStubUpstreams(() => stubAnswer({})), inProcess: () => undefined };
    return { lookedUp, target: prepareTarget({ ...spec, forward: { config: [], caller: undefined }, ...more }, world) };
  };

  it('determines once how it serves a dialect', () => {
    const { lookedUp, target } = speaking({ chat: '/chat' });
    expect(target.translation(chat)).toMatchObject({ kind: 'same', endpoint: '/chat' });
    expect(target.translation(chat)).toBe(target.translation(chat));
    expect(lookedUp).toEqual([]);
    expect(target.forward).toEqual({ same: new Set(), translated: new Set(), passed: new Set() });
  });

  it('looks up only the dialect that it translates to, and only once', async () => {
    const { lookedUp, target } = speaking({ first: '/first', second: '/second' });
    const found = await target.translation(chat);
    expect(found).toMatchObject({ kind: 'translate', upstream: { id: 'first' }, endpoint: '/first' });
    expect(target.translation(chat)).toBe(found);
    expect(lookedUp).toEqual(['first']);
  });

  it('has the prices of a saved provider, if there are any', () => {
    const prices = {} as NonNullable<Parameters<typeof prepareTarget>[0]['prices']>;
    expect(speaking({}, { prices }).target.prices).toBe(prices);
    expect(speaking({}).target).not.toHaveProperty('prices');
  });
});

describe('the owner of the circuits of a prepared target', () => {
  const base = {
    credential: { api_key: 'a' },
    settings: {},
    customHost: undefined,
    callerHost: false,
    byRequest: true,
    isOperators: false,
    forward: { config: [], caller: undefined },
  };
  const names: Names = {
    provider: () => undefined,
    check: () => undefined,
    cache: () => undefined,
    chooser: () => undefined,
    declaration: () => undefined,
    dialect: () => undefined,
  };
  const world = { names, upstreams: createStubUpstreams(() => stubAnswer({})), inProcess: () => undefined };
  const prepared = (more: Partial<Parameters<typeof prepareTarget>[0]> = {}, id = 'own') => {
    const provider = defineProvider({
      id,
      documentation: 'here',
      baseUrl: 'https://own.example',
      credential: 'none',
      speaks: {},
      headers: () => [],
    });
    return prepareTarget({ ...base, provider, ...more }, world);
  };

  it('differs by everything that a request chooses', () => {
    const owners = [
      prepared(),
      prepared({ credential: { api_key: 'b' } }),
      prepared({ credential: null }),
      prepared({ settings: { region: 'eu' } }),
      prepared({ customHost: 'https://other.example' }),
      prepared({}, 'other'),
      prepared({ byRequest: false }),
    ].map(({ circuitOwner }) => circuitOwner);
    expect(new Set(owners).size).toBe(owners.length);
    expect(prepared().circuitOwner).toBe(owners[0]);
  });

  it('is that of the credential alone if the plan chooses', () => {
    const own = prepared({ byRequest: false });
    expect(own.circuitOwner).toBe(own.fingerprint);
    expect(prepared({ byRequest: false, settings: { region: 'eu' } }).circuitOwner).toBe(own.circuitOwner);
    expect(prepared({ byRequest: false, credential: { api_key: 'b' } }).circuitOwner).not.toBe(own.circuitOwner);
  });
});

describe('a target that cannot be prepared', () => {
  const readResponse = async (given: object, overrides = {}) => {
    const { gateway, clock, plan } = runConfig(
      { provider: 'openai', api_key: '${env:KEY}' },
      { upstream: answering.upstream },
    );
    const targets = plan.targets.map((target) => ({ ...target, ...given }));
    const linked = gateway.link({ plan: { ...plan, targets }, secrets: () => 'x' });
    const response = await clock.settle(gateway.handle(sampleExchange({}, { overrides }), linked));
    return JSON.stringify(toJson(response));
  };

  it('reports which prompt, which host or whose name is missing', async () => {
    expect(await readResponse({ from: { kind: 'prompt', promptId: 'pp-1' } })).toContain(
      'There is no prompt \\"pp-1\\".',
    );
    expect(await readResponse({ from: { kind: 'request' } })).toContain('Send x-gw-provider with Authorization');
    expect(await readResponse({ from: { kind: 'request' }, credential: null }, { provider: 'ollama' })).toContain(
      'it has no default address.',
    );
  });
});
