import { describe, expect, it } from 'vitest';
import { headerValue, type UpstreamRequest } from '../../../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { type AuthorizeContext, defineProvider, type Provider } from '../../../../../plugins/sdk/provider/provider.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../../plugins/testkit/route/virtual-clock.ts';
import { authorizeContext } from '../../../../../runtime/engine/attempt/send/authorize-context.ts';
import { createPreparedTargets } from '../../../../../runtime/engine/target/prepared-targets.ts';
import { createMemoryBreakers } from '../../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../../runtime/in-memory/seeded-chance.ts';
import { errorReport, gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type RunningConfig, runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, type StubHandler, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const tokenOrigin = 'https://tokens.example';

const signedProvider: Provider = defineProvider({
  id: 'signed',
  documentation: 'here',
  baseUrl: 'https://signed.example',
  credential: 'optional',
  speaks: { chat: '/chat' },
  headers: () => [],
});

const signedBy = (authorize: NonNullable<Provider['authorize']>): Plugin =>
  definePlugin({ name: 'signed', providers: [{ ...signedProvider, authorize }] });

const tokenRequest: UpstreamRequest = {
  method: 'POST',
  origin: tokenOrigin,
  path: '/token',
  headers: [],
  body: { kind: 'none' },
};

/** Signs with a token of the token service, which is cached for a while. */
const withToken = async (request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest> => {
  const token = await context.cached('token', async () => {
    const { body, status } = await context.send(tokenRequest);
    if (status !== 200) throw new Error(`The token service refused ${context.credential.api_key}.`);
    return { value: Buffer.from(body).toString(), expiresAt: context.now() + 3_600_000 };
  });
  return { ...request, headers: [...request.headers, 'authorization', `Bearer ${token}`] };
};

interface World {
  readonly tokens: StubHandler;
  readonly config?: JsonObject;
  readonly authorize?: NonNullable<Provider['authorize']>;
}

const signed = ({ tokens, config, authorize = withToken }: World): RunningConfig =>
  runConfig(config ?? { provider: 'signed', api_key: '${env:KEY}' }, {
    upstream: (request, scope) => (request.origin === tokenOrigin ? tokens(request, scope) : stubAnswer({ ok: true })),
    plugins: [signedBy(authorize)],
  });

const tokensAsked = ({ upstreams }: RunningConfig): number =>
  upstreams.requests.filter(({ origin }) => origin === tokenOrigin).length;

describe('a request that its provider signs with a token', () => {
  it('carries the token, and so does the next request', async () => {
    const running = signed({ tokens: () => stubAnswer('t-1') });
    await Promise.all([1, 2, 3].map(() => running.handle(sampleExchange(question))));
    await running.handle(sampleExchange(question));
    const sent = running.upstreams.requests.filter(({ origin }) => origin !== tokenOrigin);
    expect(sent.map(({ headers }) => headerValue(headers, 'authorization'))).toEqual(Array(4).fill('Bearer t-1'));
    expect(tokensAsked(running)).toBe(1);
  });

  it('does not share the token with another credential', async () => {
    const targets = ['ONE', 'TWO'].map((name) => ({ provider: 'signed', api_key: `\${env:${name}}`, weight: 1 }));
    const config = { strategy: { mode: 'fallback', on_status_codes: [200] }, targets };
    const running = signed({ tokens: () => stubAnswer('t'), config });
    await running.handle(sampleExchange(question));
    expect(tokensAsked(running)).toBe(2);
  });

  it.each([
    ['a refusal', () => stubAnswer('no', { status: 400 }), 401, 'authorization-failed', 'gateway'],
    ['a fault', () => stubAnswer('no', { status: 503 }), 502, 'token-service-failed', 'network'],
    ['a rate limit', () => stubAnswer('no', { status: 429 }), 502, 'token-service-failed', 'network'],
    [
      'an outage',
      () => ({ kind: 'failure', error: errorReport('connection-failed', { host: 'h', reason: 'no.' }) }) as const,
      502,
      'connection-failed',
      'network',
    ],
  ])(
    'is not sent after %s of the token service, and the next target serves the request',
    async (_, tokens, status, cause, origin) => {
      const failing = signed({ tokens });
      const response = await failing.handle(sampleExchange(question));
      expect(response).toMatchObject({ status, cause, origin, leaf: { provider: 'signed' } });
      expect(JSON.stringify(toJson(response))).not.toContain('secret of');
      expect(failing.upstreams.requests.every((request) => request.origin === tokenOrigin)).toBe(true);
      const targets = [{ provider: 'signed', api_key: '${env:KEY}' }, { provider: 'echo' }];
      const config = { strategy: { mode: 'fallback' }, targets };
      const both = await signed({ tokens, config }).handle(sampleExchange(question));
      expect(both).toMatchObject({ status: 200, leaf: { provider: 'echo' } });
    },
  );

  it('reports the reason without the credential', async () => {
    const response = await signed({ tokens: () => stubAnswer('no', { status: 400 }) }).handle(sampleExchange(question));
    const text = JSON.stringify(toJson(response));
    expect(text).toContain('The request to signed could not be authorised: The token service refused ….');
  });

  it('fails with the host and the status of a token service that is out of order', async () => {
    const body = new StubBody('no');
    const tokens: StubHandler = () => ({ kind: 'answer', status: 503, headers: [], body });
    const response = await signed({ tokens }).handle(sampleExchange(question));
    expect(JSON.stringify(toJson(response))).toContain(
      'The service at tokens.example, which authorises requests to signed, answered 503.',
    );
    // Otherwise its connection would wait for somebody to read it.
    expect(body.discarded).toBe(true);
  });

  it('is retried after a fault of the token service, as after a network fault', async () => {
    let calls = 0;
    const tokens: StubHandler = () => {
      calls += 1;
      return calls === 1 ? stubAnswer('', { status: 503 }) : stubAnswer('t');
    };
    const config = { provider: 'signed', api_key: '${env:KEY}', retry: { attempts: 1 } };
    expect(await signed({ tokens, config }).handle(sampleExchange(question))).toMatchObject({ status: 200 });
  });

  it('is retried if the provider recognises that the token service has failed for now', async () => {
    let calls = 0;
    const tokens: StubHandler = () => {
      calls += 1;
      return calls === 1 ? stubAnswer('Throttling', { status: 400 }) : stubAnswer('t');
    };
    const authorize = async (request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest> => {
      const isTemporary: Parameters<AuthorizeContext['send']>[1] = ({ body }) =>
        Buffer.from(body).toString() === 'Throttling';
      await context.send(tokenRequest, isTemporary);
      return request;
    };
    const config = { provider: 'signed', api_key: '${env:KEY}', retry: { attempts: 1 } };
    expect(await signed({ tokens, config, authorize }).handle(sampleExchange(question))).toMatchObject({ status: 200 });
    expect(calls).toBe(2);
  });

  it.each([
    ['seconds', ['Retry-After', '30'], '30'],
    ['milliseconds', ['x-ms-retry-after-ms', '1500'], '2'],
    ['a date', ['retry-after', 'Thu, 01 Jan 2026 00:00:20 GMT'], '20'],
    ['a word', ['retry-after', 'soon'], undefined],
  ])('returns the wait that the token service asks for as %s', async (_, headers, seconds) => {
    const response = await signed({ tokens: () => stubAnswer('no', { status: 429, headers }) }).handle(
      sampleExchange(question),
    );
    expect(headerValue(response.headers, 'retry-after')).toBe(seconds);
  });

  it('is retried after the wait that the token service asks for', async () => {
    let calls = 0;
    const tokens: StubHandler = () => {
      calls += 1;
      return calls === 1 ? stubAnswer('', { status: 429, headers: ['retry-after', '30'] }) : stubAnswer('t');
    };
    const retry = { attempts: 1, use_retry_after_headers: true };
    const running = signed({ tokens, config: { provider: 'signed', api_key: '${env:KEY}', retry } });
    expect(await running.clock.settle(running.handle(sampleExchange(question)))).toMatchObject({ status: 200 });
    expect(running.clock.monotonic()).toBe(30_000);
  });

  it('times out while it waits for the token', async () => {
    const config = { provider: 'signed', api_key: '${env:KEY}', request_timeout: 30 };
    const running = signed({ tokens: hanging, config });
    expect(await running.handle(sampleExchange(question))).toMatchObject({ status: 408, origin: 'timeout' });
    expect([running.clock.monotonic(), running.clock.pending]).toEqual([30, 0]);
  });

  it('does not fail the others if its client disconnects while it waits, and they request a token together', async () => {
    let calls = 0;
    const tokens: StubHandler = (request, scope) => {
      calls += 1;
      return calls === 1 ? hanging(request, scope) : stubAnswer('t-2');
    };
    const running = signed({ tokens });
    const { cancellation, cancel } = createCancellation();
    const leaving = running.gateway.handle(sampleExchange(question, { cancellation }), running.linked);
    const staying = [1, 2].map(() => running.gateway.handle(sampleExchange(question), running.linked));
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toBe(1);
    cancel();
    expect((await leaving).status).toBe(499);
    expect((await Promise.all(staying)).map(({ status }) => status)).toEqual([200, 200]);
    expect(calls).toBe(2);
  });

  it('fails if the answer of the token service is too large', async () => {
    const running = signed({ tokens: () => stubAnswer('x'.repeat(300_000)) });
    expect(await running.handle(sampleExchange(question))).toMatchObject({ status: 502, cause: 'unreadable-answer' });
  });

  it("opens the token service as an operator's host, or as a caller's if the plan is a caller's", async () => {
    const operators = signed({ tokens: () => stubAnswer('t') });
    await operators.handle(sampleExchange(question));
    expect(operators.upstreams.opened).toContainEqual({ origin: tokenOrigin, operatorHost: true });
    const callers = runConfig(
      { provider: 'signed', api_key: 'mine' },
      { upstream: () => stubAnswer('{}'), plugins: [signedBy(withToken)], trust: 'caller' },
    );
    await callers.handle(sampleExchange(question, { secrets: callers.secrets }));
    expect(callers.upstreams.opened).toContainEqual({ origin: tokenOrigin, operatorHost: false });
  });
});

describe('the values that a provider caches', () => {
  it('for an operator are separate from those for callers without a credential', async () => {
    const clock = createVirtualClock();
    const { upstreams } = signed({ tokens: () => stubAnswer('t') });
    const context = {
      prepared: createPreparedTargets(clock),
      ports: { clock, upstreams, chance: seededChance, breakers: createMemoryBreakers({ clock }) },
    };
    const scope = { cancellation: createCancellation().cancellation, attempt: 1 };
    const kept = async (isOperators: boolean, value: string): Promise<string> => {
      const otherHosts = { operatorHost: isOperators };
      const target = {
        provider: signedProvider,
        credential: {},
        settings: {},
        keyFingerprint: 'none',
        isOperators,
        otherHosts,
      };
      return await authorizeContext(target, scope, context).cached('key', async () => ({ value, expiresAt: 9e15 }));
    };
    expect(await kept(true, "the machine's")).toBe("the machine's");
    expect(await kept(false, "a caller's")).toBe("a caller's");
    expect(await kept(true, 'another')).toBe("the machine's");
  });
});

describe('a token for a target without a credential', () => {
  it("is not shared between a caller's plan and the operator's", async () => {
    const { gateway, clock, plan, upstreams } = signed({
      tokens: () => stubAnswer('t'),
      config: { provider: 'signed' },
    });
    const secrets = () => undefined;
    const linked = [false, true, false, true].map((callerPlan) => gateway.link({ plan, secrets, callerPlan }));
    const counts: number[] = [];
    for (const each of linked) {
      await clock.settle(gateway.handle(sampleExchange(question), each));
      counts.push(upstreams.requests.filter(({ origin }) => origin === tokenOrigin).length);
    }
    expect(counts).toEqual([1, 2, 2, 2]);
  });
});

describe('a provider that cannot sign', () => {
  const failing = (authorize: NonNullable<Provider['authorize']>) =>
    signed({ tokens: () => stubAnswer('t'), authorize }).handle(sampleExchange(question));

  it('can report the problem itself', async () => {
    const response = await failing(() => Promise.reject(gatewayError('missing-credential', { provider: 'signed' })));
    expect(response).toMatchObject({ status: 401, cause: 'missing-credential', leaf: { provider: 'signed' } });
  });

  it('has its error reported whatever it throws, even if it throws synchronously', async () => {
    const thrown = (): never => {
      throw 'no region';
    };
    const response = await failing(thrown);
    expect(response).toMatchObject({ status: 401, cause: 'authorization-failed' });
    expect(JSON.stringify(toJson(response))).toContain('could not be authorised: no region.');
  });

  it.each([
    ['nothing', () => undefined, 'returned something other than a request'],
    ['the headers alone', ({ headers }: UpstreamRequest) => headers, 'returned something other than a request'],
    ['a name without a value', (it: UpstreamRequest) => ({ ...it, headers: ['x-a'] }), 'that HTTP cannot carry'],
    ['a line break', (it: UpstreamRequest) => ({ ...it, headers: ['x-a', 'b\nc'] }), 'that HTTP cannot carry'],
  ])('sends no request if its result is wrong: %s', async (_, returned, why) => {
    const authorize = async (request: UpstreamRequest) => returned(request) as UpstreamRequest;
    const running = signed({ tokens: () => stubAnswer('t'), authorize });
    const response = await running.handle(sampleExchange(question));
    expect(response).toMatchObject({ status: 401, cause: 'authorization-failed' });
    expect(JSON.stringify(toJson(response))).toContain(why);
    expect(running.upstreams.requests).toEqual([]);
  });

  it('ends the request with a 500 if its error is internal', async () => {
    const response = await failing(() => Promise.reject(gatewayError('internal-error', {})));
    expect(response).toMatchObject({ status: 500, cause: 'internal-error' });
  });
});
