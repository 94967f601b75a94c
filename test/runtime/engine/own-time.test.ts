import { describe, expect, it } from 'vitest';
import type { CallerOverrides, Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { defineGuardrail, fail, pass } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { type GatewayResponse, headerValue } from '../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { RequestWaits } from '../../../runtime/engine/call/request-waits.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type RunningConfig, runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { hanging, type StubHandler, stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}' };
const other: JsonObject = { provider: 'groq', api_key: '${env:OTHER}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const asking: CallerOverrides = { usage: true };

const good = () => stubAnswer(openaiAnswer({ text: 'Hi.' }));
const busy = () => stubAnswer({ error: { message: 'busy' } }, { status: 503 });
const refused = () => ({
  kind: 'failure' as const,
  error: errorReport('connection-failed', { host: 'stub', reason: 'it was refused.' }),
});

/** Takes this long within the gateway, without waiting for anything. */
const slowCheck = (id: string, ms: number, clock: () => RunningConfig['clock']) =>
  defineGuardrail({
    id,
    parameters: { type: 'object', properties: {} },
    create: () => () => {
      clock().advance(ms);
      return pass();
    },
  });

/** Calls a service, and denies according to its answer. */
const remoteCheck = defineGuardrail({
  id: 'acme.remote',
  parameters: { type: 'object', properties: {} },
  create:
    (_parameters, { http }) =>
    async ({ cancellation }) => {
      const { status } = await http.send({ url: 'https://judge.example/verdict', cancellation });
      return status === 200 ? pass() : fail('no');
    },
});

interface Reported {
  readonly response: GatewayResponse;
  readonly attempts: string | undefined;
  readonly overhead: string | undefined;
  /** The values that the hook reported, in milliseconds. */
  readonly measured: readonly number[];
  readonly exchange: Exchange;
}

interface Asked {
  readonly config: JsonObject;
  /** How long each answer takes and what it is, by the number of the upstream request. */
  readonly answers: readonly (readonly [ms: number, answer: StubHandler])[];
  readonly times?: number;
  readonly given?: Partial<Exchange>;
  readonly params?: JsonObject;
}

const ask = async ({ config, answers, times = 1, given = {}, params = question }: Asked): Promise<Reported> => {
  const measured: number[] = [];
  let sent = 0;
  const clock = () => running.clock;
  const plugin: Plugin = definePlugin({
    name: 'acme',
    guardrails: [slowCheck('acme.slow', 7, clock), remoteCheck],
    apply: (hooks) => hooks.overheadMeasured.tap('acme', (ms) => void measured.push(ms)),
  });
  const running: RunningConfig = runConfig(config, {
    plugins: [plugin],
    upstream: (request, scope) => {
      const [ms, answer] = answers[Math.min(sent, answers.length - 1)] ?? expect.unreachable();
      sent += 1;
      return new Promise((resolve) => void clock().after(ms, () => resolve(answer(request, scope))));
    },
  });
  let seen: Reported | undefined;
  for (let time = 0; time < times; time += 1) {
    const labels = { prompt: undefined };
    const startedAt = clock().monotonic();
    const exchange = sampleExchange(params, { overrides: asking, ...given, startedAt, labels, trail: [] });
    running.gateway.begin(exchange);
    const response = await running.handle(exchange);
    seen = {
      response,
      attempts: headerValue(response.headers, 'x-gw-attempts'),
      overhead: headerValue(response.headers, 'x-gw-overhead-ms'),
      measured,
      exchange,
    };
  }
  return seen ?? expect.unreachable();
};

describe("the gateway's own time", () => {
  it('excludes the wait for the provider, which is measured for each attempt', async () => {
    const { attempts, overhead, measured } = await ask({ config: openai, answers: [[200, good]] });
    expect([attempts, overhead, measured]).toEqual(['"config";status=200;ms=200.00', '0.00', [0]]);
  });

  it('includes what the gateway does itself', async () => {
    const config = { ...openai, input_guardrails: [{ 'acme.slow': {} }], output_guardrails: [{ 'acme.slow': {} }] };
    const { overhead, measured } = await ask({ config, answers: [[200, good]] });
    expect([overhead, measured]).toEqual(['14.00', [14]]);
  });

  it('excludes the waits between retries', async () => {
    const { attempts, overhead, exchange } = await ask({
      config: { ...openai, retry: { attempts: 2 } },
      answers: [
        [10, busy],
        [20, refused],
        [30, good],
      ],
    });
    expect(exchange.trail.filter(({ kind }) => kind === 'retried')).toHaveLength(2);
    expect([attempts, overhead]).toEqual([
      '"config";status=503;ms=10.00, "config";status=502;error=connection-failed;ms=20.00, "config";status=200;ms=30.00',
      '0.00',
    ]);
  });

  it('excludes all targets of a fallback, whose attempts are listed in order, even if all fail', async () => {
    const config = { strategy: { mode: 'fallback' }, targets: [openai, { ...other, request_timeout: 50 }] };
    const { response, attempts, overhead } = await ask({
      config,
      answers: [
        [10, busy],
        [0, hanging],
      ],
    });
    expect(response.status).toBe(408);
    expect([attempts, overhead]).toEqual([
      '"config.targets[0]";status=503;ms=10.00, "config.targets[1]";status=408;error=request-timeout;ms=50.00',
      '0.00',
    ]);
  });

  it('excludes the wait for a service that a check calls, whether or not it denies', async () => {
    const config = { ...openai, input_guardrails: [{ 'acme.slow': {} }, { 'acme.remote': {}, deny: true }] };
    const passed = await ask({
      config,
      answers: [
        [40, () => stubAnswer({})],
        [200, good],
      ],
    });
    expect([passed.attempts, passed.overhead]).toEqual(['"config";status=200;ms=200.00', '7.00']);
    const denied = await ask({ config, answers: [[40, () => stubAnswer({}, { status: 403 })]] });
    expect(denied.response.status).toBe(446);
    expect([denied.attempts, denied.overhead, denied.measured]).toEqual([undefined, '7.00', [7]]);
  });

  it('is the whole time of an answer from a cache, for which no attempt was made', async () => {
    const config = { ...openai, cache: { mode: 'simple' }, input_guardrails: [{ 'acme.slow': {} }] };
    const { response, attempts, overhead, measured } = await ask({ config, answers: [[200, good]], times: 2 });
    expect(response.leaf?.cache).toBe('HIT');
    expect([attempts, overhead, measured]).toEqual([undefined, '7.00', [7, 7]]);
  });

  it('ends with the first content of a stream, and so does the time of its attempt', async () => {
    const headers = ['content-type', 'text/event-stream'];
    const { response, attempts, overhead } = await ask({
      config: { strategy: { mode: 'fallback' }, targets: [openai, other] },
      params: { ...question, stream: true },
      answers: [
        [10, busy],
        [60, () => stubAnswer(openaiStream({ text: 'Hi.' }).join(''), { headers })],
      ],
    });
    if (response.body.kind === 'stream') response.body.discard();
    expect(response.body.kind).toBe('stream');
    expect([attempts, overhead]).toEqual([
      '"config.targets[0]";status=503;ms=10.00, "config.targets[1]";status=200;ms=60.00',
      '0.00',
    ]);
  });

  it('is reported to plugins for every request, and to a caller only on request', async () => {
    const { attempts, overhead, measured } = await ask({
      config: openai,
      answers: [[200, good]],
      given: { overrides: {} },
    });
    expect([attempts, overhead, measured]).toEqual([undefined, undefined, [0]]);
  });

  it('is not measured if neither a caller nor a plugin asks for it', async () => {
    const running = runConfig(openai, { upstream: good });
    const labels = { prompt: undefined };
    const exchange = sampleExchange(question, { startedAt: 0, labels });
    running.gateway.begin(exchange);
    await running.handle(exchange);
    expect(exchange.labels).toEqual({ prompt: undefined });
  });

  it('excludes the wait of a request for the call of an equal one', async () => {
    const running = runConfig(
      { ...openai, cache: { mode: 'simple' } },
      { upstream: () => new Promise((resolve) => void running.clock.after(200, () => resolve(good()))) },
    );
    const made = [1, 2].map(() => {
      const labels = { prompt: undefined };
      const exchange = sampleExchange(question, { overrides: asking, startedAt: 0, labels, trail: [] });
      running.gateway.begin(exchange);
      return running.gateway.handle(exchange, running.linked);
    });
    const [first, second] = await running.clock.settle(Promise.all(made));
    expect(running.upstreams.requests).toHaveLength(1);
    const shown = [first, second].map(({ headers = [] } = expect.unreachable()) => [
      headerValue(headers, 'x-gw-attempts') === undefined,
      headerValue(headers, 'x-gw-overhead-ms'),
    ]);
    expect(shown).toEqual([
      [false, '0.00'],
      [true, '0.00'],
    ]);
  });

  it('of a request that makes others excludes their waits, and the answer lists their attempts', async () => {
    const running = runConfig(openai, {
      upstream: () => new Promise((resolve) => void running.clock.after(200, () => resolve(good()))),
    });
    const given = (): Partial<Exchange> => ({
      ...{ overrides: asking, startedAt: running.clock.monotonic(), labels: { prompt: undefined }, trail: [] },
    });
    const outer = sampleExchange(question, given());
    running.gateway.begin(outer);
    running.clock.advance(3);
    const inner = sampleExchange(question, given());
    running.gateway.begin(inner, outer.labels?.waits);
    const made = await running.handle(inner);
    running.clock.advance(4);
    const { headers } = running.gateway.conclude(outer, made);
    expect(headerValue(made.headers, 'x-gw-overhead-ms')).toBe('0.00');
    expect(headers.filter((_, at) => at % 2 === 0).filter((name) => name === 'x-gw-overhead-ms')).toHaveLength(1);
    expect(headerValue(headers, 'x-gw-overhead-ms')).toBe('7.00');
    expect(headerValue(headers, 'x-gw-attempts')).toBe('"config";status=200;ms=200.00');
  });
});

describe('waits', () => {
  it('count once if they overlap, and each of them ends once', () => {
    const clock = createVirtualClock();
    const waits = new RequestWaits(clock);
    const first = waits.begin();
    clock.advance(10);
    const second = waits.begin();
    clock.advance(10);
    first();
    first();
    expect(waits.ms).toBe(20);
    clock.advance(10);
    expect(waits.ms).toBe(30);
    second();
    clock.advance(10);
    expect(waits.ms).toBe(30);
    waits.begin()();
    expect(waits.ms).toBe(30);
  });
});
