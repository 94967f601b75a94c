import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import type { UpstreamAnswer } from '../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import { errorReport, gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { createCountingLimiter, type ReservationEnd } from '../../../support/in-process/counting-limiter.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { openaiAnswer, openaiStream } from '../../../support/vendors/openai-wire.ts';

const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'What is up?' }] };
const openai = { provider: 'openai', api_key: '${env:KEY}', request_timeout: 1000 };

type Step =
  | 'answer'
  | 'denied'
  | 'refused'
  | 'full'
  | 'bad request'
  | 'failing'
  | 'lost'
  | 'hang'
  | 'cut'
  | 'left'
  | 'limited target'
  | 'limited request';

type Ending = ReservationEnd['kind'] | UsageRecord['kind'];

/** How the reservation of each step ends; undefined if nothing was reserved. */
const endings: Readonly<Record<Step, Ending | undefined>> = {
  answer: 'reported',
  denied: 'reported',
  refused: 'released',
  full: 'released',
  'bad request': 'none',
  failing: 'none',
  lost: 'estimated',
  hang: 'estimated',
  cut: 'estimated',
  left: 'estimated',
  'limited target': undefined,
  'limited request': undefined,
};

const eventStream = { headers: ['content-type', 'text/event-stream'] };
const lost = errorReport('connection-lost', { host: 'stub', reason: 'it was reset.' });

const toText = (step: Step): string => (step === 'denied' ? 'a forbidden word' : 'fine');

const wholeOrCut = (step: Step, stream: boolean): UpstreamAnswer => {
  if (!stream) return stubAnswer(openaiAnswer({ text: toText(step) }));
  return stubAnswer(openaiStream({ text: toText(step) }, { withUsage: true }).join(''), eventStream);
};

const cut = (stream: boolean): UpstreamAnswer => ({
  kind: 'answer',
  status: 200,
  headers: stream ? eventStream.headers : ['content-type', 'application/json'],
  body: new StubBody(stream ? openaiStream({ text: 'fine' }).slice(0, 2).join('') : '{"id":', lost),
});

const acting =
  (step: Step, { stream, leave }: { readonly stream: boolean; readonly leave: () => void }): StubHandler =>
  (request, scope) => {
    switch (step) {
      case 'refused':
        return {
          kind: 'failure',
          error: errorReport('connection-failed', { host: 'stub', reason: 'it was refused.' }),
        };
      case 'full':
        return { kind: 'failure', error: errorReport('pool-full', { host: 'stub' }) };
      case 'bad request':
        return stubAnswer({ error: { message: 'no' } }, { status: 400 });
      case 'failing':
        return stubAnswer({ error: { message: 'no' } }, { status: 500 });
      case 'lost':
        return { kind: 'failure', error: lost };
      case 'hang':
        return hanging(request, scope);
      case 'cut':
        return cut(stream);
      case 'left': {
        const answer = hanging(request, scope);
        leave();
        return answer;
      }
      default:
        return wholeOrCut(step, stream);
    }
  };

const refuse = (step: Step | undefined): void => {
  const params = { policy: 'p', limit: '1 request a minute', suggestion: 'Wait.' };
  if (step === 'limited target') throw gatewayError('rate-limited', params);
  if (step === 'limited request') throw gatewayError('usage-exhausted', params, { curable: false });
};

const anyStep = fc.constantFrom(...(Object.keys(endings) as readonly Step[]));

const toKinds = (ends: readonly ReservationEnd[]): readonly Ending[] =>
  ends.map((end) => (end.kind === 'settled' ? end.usage.kind : end.kind));

interface Run {
  /** The steps that were taken, in order. */
  readonly taken: readonly Step[];
  readonly found: readonly (readonly Ending[])[];
  readonly ended: number;
  readonly openAtEnd: number;
  readonly sent: number;
  readonly attempted: number;
}

const run = async (script: readonly Step[], stream: boolean): Promise<Run> => {
  const { cancellation, cancel } = createCancellation();
  const taken: Step[] = [];
  const take = (): Step => script[taken.length] ?? 'answer';
  const limiter = createCountingLimiter({
    attempt: () => {
      const step = take();
      if (endings[step] !== undefined) return;
      taken.push(step);
      refuse(step);
    },
  });
  const guard = { 'default.contains': { words: ['forbidden'], operator: 'none' }, deny: true };
  const target = {
    ...openai,
    retry: { attempts: 1, on_status_codes: [408, 412, 429, 446, 500, 502] },
    output_guardrails: [guard],
  };
  const upstream: StubHandler = (request, scope) => {
    const step = take();
    taken.push(step);
    return acting(step, { stream, leave: cancel })(request, scope);
  };
  const world = runConfig({ strategy: { mode: 'fallback' }, targets: [target, target, target] }, { upstream, limiter });
  const exchange = sampleExchange({ ...question, stream }, { cancellation });
  const { body } = await world.handle(exchange);
  if (body.kind === 'stream') {
    const over = new Promise<void>((resolve) => body.onEnd(() => resolve()));
    body.start({ write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} });
    await world.clock.settle(over);
  }
  const [request] = limiter.requests;
  return {
    taken,
    found: request?.attempts.map(({ ends }) => toKinds(ends)) ?? [],
    ended: request?.ended ?? 0,
    openAtEnd: request?.openAtEnd ?? 0,
    sent: world.upstreams.requests.length,
    attempted: exchange.trail.filter(({ kind }) => kind === 'attempted').length,
  };
};

/** The gateway cuts a stream that is denied, before its provider has reported its usage. */
const findEnding = (step: Step, stream: boolean): Ending | undefined =>
  step === 'denied' && stream ? 'estimated' : endings[step];

const expected = (taken: readonly Step[], stream: boolean): readonly (readonly Ending[])[] =>
  taken.flatMap((step) => {
    const ending = findEnding(step, stream);
    return ending === undefined ? [] : [[ending]];
  });

describe('the reservation of each attempt', () => {
  it('is settled or released once, according to how its attempt ended, before the request ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 7 }), fc.boolean(), async (script, stream) => {
        const { taken, found, ended, openAtEnd, sent, attempted } = await run(script, stream);
        expect(found).toEqual(expected(taken, stream));
        expect([ended, openAtEnd]).toEqual([1, 0]);
        const made = taken.filter((step) => endings[step] !== undefined).length;
        expect([sent, attempted]).toEqual([made, made]);
      }),
      { numRuns: 150 },
    );
  });

  it.each<[Step[], boolean]>([
    [['left'], true],
    [['denied'], true],
    [['failing', 'limited request'], false],
    [['limited target', 'cut', 'hang', 'denied'], true],
    [['limited target', 'limited target', 'limited target'], false],
  ])('ends as expected for %j', async (script, stream) => {
    const { taken, found, ended } = await run(script, stream);
    expect([taken.slice(0, script.length), found, ended]).toEqual([script, expected(taken, stream), 1]);
  });
});

describe('a limit', () => {
  const answering: StubHandler = () => stubAnswer(openaiAnswer({ text: 'fine' }));
  const listed = { attempts: 3, on_status_codes: [412, 429, 500] };
  const ask = async (config: JsonObject, steps: readonly (Step | undefined)[], upstream: StubHandler = answering) => {
    const limiter = createCountingLimiter({ attempt: (_, number) => refuse(steps[number - 1]) });
    const world = runConfig(config, { upstream, limiter });
    const exchange = sampleExchange(question);
    return { response: await world.handle(exchange), exchange, world, limiter };
  };

  it('of a target is its answer, is never retried, and lets a fallback continue', async () => {
    const target = { ...openai, retry: listed };
    const both = { strategy: { mode: 'fallback' }, targets: [target, target] };
    const { response, exchange, world } = await ask(both, ['limited target']);
    expect([response.status, world.upstreams.requests.length]).toEqual([200, 1]);
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['fellBack', 'attempted', 'settled']);
    const all = await ask(both, ['limited target', 'limited target']);
    expect(all.response).toMatchObject({
      status: 429,
      origin: 'limit',
      cause: 'rate-limited',
      leaf: { path: '/targets/1' },
    });
    expect(all.world.upstreams.requests).toEqual([]);
    expect(all.limiter.requests[0]?.ended).toBe(1);
  });

  it('that is reached between two attempts leaves the first one in the trail', async () => {
    const failing: StubHandler = () => stubAnswer({ error: { message: 'no' } }, { status: 500 });
    const { response, exchange } = await ask({ ...openai, retry: listed }, [undefined, 'limited target'], failing);
    expect(response).toMatchObject({ status: 429, origin: 'limit', leaf: { retries: 0 } });
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted', 'settled', 'retried']);
  });

  it('of the request ends it, even if another target could answer', async () => {
    const both = { strategy: { mode: 'fallback' }, targets: [openai, openai] };
    const { response, world, limiter } = await ask(both, ['limited request']);
    expect(response).toMatchObject({ status: 412, origin: 'limit', cause: 'usage-exhausted' });
    expect(world.upstreams.requests).toEqual([]);
    expect(limiter.requests[0]).toMatchObject({ attempts: [], ended: 1 });
  });

  it('does not count as a failure of its target', async () => {
    const config = {
      ...openai,
      cb_config: { failure_threshold: 1, cooldown_interval: 60_000, failure_status_codes: [412, 429] },
    };
    const { exchange } = await ask(config, ['limited target']);
    expect(exchange.trail).toEqual([]);
  });

  it('sends the headers of its error if it refuses a request before it is routed', async () => {
    const lines = ['retry-after', '7', 'x-ratelimit-limit-requests', '1'];
    const params = { policy: 'p', limit: '1 request a minute', suggestion: 'Wait.' };
    const error = () => gatewayError('rate-limited', params, { headers: lines });
    for (const rejects of [false, true]) {
      const limiter = createCountingLimiter({
        admit: () => {
          if (rejects) return Promise.reject(error());
          throw error();
        },
      });
      const world = runConfig(openai, { upstream: answering, limiter });
      const response = await world.handle(sampleExchange(question));
      expect(response).toMatchObject({
        status: 429,
        origin: 'limit',
        headers: ['content-type', 'application/json', ...lines],
      });
      expect([world.upstreams.requests, limiter.requests]).toEqual([[], []]);
    }
  });

  it('is answered in the dialect of its client', async () => {
    const limiter = createCountingLimiter({ attempt: () => refuse('limited target') });
    const { handle } = runConfig(openai, { upstream: answering, limiter });
    const exchange = sampleExchange(
      { ...question, max_tokens: 9 },
      { route: { operation: 'converse', dialect: 'messages' } },
    );
    const { body, status } = await handle(exchange);
    expect(status).toBe(429);
    expect(body.kind === 'bytes' && JSON.parse(Buffer.from(body.bytes).toString())).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error' },
    });
  });
});

describe('a plugin', () => {
  const endsWith = async (apply: (hooks: Hooks) => void, upstream: StubHandler) => {
    const limiter = createCountingLimiter();
    const plugins = [definePlugin({ name: 'own', apply })];
    const { handle } = runConfig(openai, { upstream, limiter, plugins });
    const { status } = await handle(sampleExchange(question));
    const [request] = limiter.requests;
    return { status, ends: request?.attempts.map(({ ends }) => toKinds(ends)), ended: request?.ended };
  };
  const answering: StubHandler = () => stubAnswer(openaiAnswer({ text: 'fine' }));
  const fail = (): never => {
    throw new Error('a fault of the plugin');
  };

  it('that fails before a request is sent causes the reservation to be released', async () => {
    const outcome = await endsWith((hooks) => hooks.providerRequest.tap('own', fail), answering);
    expect(outcome).toEqual({ status: 500, ends: [['released']], ended: 1 });
  });

  it('that fails at an answer causes the reservation to be settled with an estimate', async () => {
    const outcome = await endsWith((hooks) => hooks.providerResponse.tap('own', fail), answering);
    expect(outcome).toEqual({ status: 500, ends: [['estimated']], ended: 1 });
  });

  it('that answers for a provider that was not reached causes the reservation to be released', async () => {
    const refused = errorReport('connection-failed', { host: 'stub', reason: 'it was refused.' });
    const outcome = await endsWith(
      (hooks) => hooks.providerResponse.tap('own', () => stubAnswer(openaiAnswer({ text: 'from the plugin' }))),
      () => ({ kind: 'failure', error: refused }),
    );
    expect(outcome).toEqual({ status: 200, ends: [['released']], ended: 1 });
  });

  it('that refuses to admit a request to a leaf prevents the attempt', async () => {
    const outcome = await endsWith(
      (hooks) =>
        hooks.admit.tap('own', () => ({
          status: 429,
          headers: [],
          origin: 'limit',
          body: { kind: 'bytes', bytes: Buffer.from('{}') },
        })),
      answering,
    );
    expect(outcome).toEqual({ status: 429, ends: [], ended: 1 });
  });
});

describe('a reservation', () => {
  const answering: StubHandler = () => stubAnswer(openaiAnswer({ text: 'fine' }));

  it('is released, and nothing is sent, if its client disconnected before it was granted', async () => {
    const { cancellation, cancel } = createCancellation();
    const limiter = createCountingLimiter({
      attempt: async () => {
        cancel();
      },
    });
    const world = runConfig(openai, { upstream: answering, limiter });
    expect((await world.handle(sampleExchange(question, { cancellation }))).status).toBe(499);
    expect(world.upstreams.requests).toEqual([]);
    expect(limiter.requests[0]).toMatchObject({ attempts: [{ ends: [{ kind: 'released' }] }], ended: 1 });
  });

  it('knows its target, its model, the number of bytes sent and the maximum output', async () => {
    const limiter = createCountingLimiter();
    const world = runConfig({ ...openai, override_params: { max_tokens: 50 } }, { upstream: answering, limiter });
    await world.handle(sampleExchange({ ...question, max_completion_tokens: 80, n: 3 }));
    const [sent] = world.upstreams.requests;
    expect(limiter.requests[0]?.attempts[0]?.attempt).toEqual({
      target: 'openai',
      provider: 'openai',
      model: 'gpt-4o-mini',
      bodyBytes: sent?.body.kind === 'bytes' ? sent.body.bytes.length : 0,
      maxOutput: 150,
      mostOutput: 150,
    });
  });

  it('knows the maximum output of a translated request and the slug of a saved provider', async () => {
    const limiter = createCountingLimiter();
    const mine = { provider: 'anthropic', credential: { api_key: '${env:KEY}' } };
    const world = runConfig(
      { provider: '@mine' },
      {
        upstream: () => stubAnswer({ error: {} }, { status: 500 }),
        limiter,
        saved: { providers: { mine }, virtualKeys: {}, guardrails: {} },
      },
    );
    await world.handle(sampleExchange({ ...question, max_tokens: 70 }));
    expect(limiter.requests[0]?.attempts[0]?.attempt).toMatchObject({
      provider: 'anthropic',
      slug: 'mine',
      maxOutput: 70,
      mostOutput: 70,
    });
  });

  it('knows that embeddings have no output, in any format', async () => {
    const route = { operation: 'embed', dialect: 'embeddings' } as const;
    for (const provider of ['openai', 'cohere', 'google']) {
      const limiter = createCountingLimiter();
      const config = { provider, api_key: '${env:KEY}' };
      const world = runConfig(config, { upstream: () => stubAnswer({}, { status: 500 }), limiter });
      await world.handle(sampleExchange({ model: 'm', input: 'hi' }, { route }));
      expect(limiter.requests[0]?.attempts[0]?.attempt).toMatchObject({ provider, model: 'm', maxOutput: 0 });
    }
  });

  it.each(['anthropic', 'groq'])(
    'is settled without usage for a token count, which still counts as a request: %s',
    async (provider) => {
      const route = { operation: 'count', dialect: 'messages-count', stream: false } as const;
      const limiter = createCountingLimiter();
      const upstream = () => stubAnswer({ input_tokens: 9 });
      const world = runConfig({ provider, api_key: '${env:KEY}' }, { upstream, limiter });
      expect((await world.handle(sampleExchange(question, { route }))).status).toBe(200);
      expect(world.upstreams.requests).toHaveLength(provider === 'groq' ? 0 : 1);
      const [attempt] = limiter.requests[0]?.attempts ?? [];
      expect(attempt?.attempt).toMatchObject({ provider, model: question.model });
      expect(attempt?.ends).toMatchObject([{ kind: 'settled', usage: { kind: 'none', input: { total: 0 } } }]);
    },
  );
});
