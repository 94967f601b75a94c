import { describe, expect, it } from 'vitest';
import { RecordReader } from '../../../../plugins/sdk/binary/record-reader.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { AttemptStart } from '../../../../plugins/sdk/hooks/attempt-start.ts';
import type { HookResult } from '../../../../plugins/sdk/hooks/hook-result.ts';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import type { UnreadAnswer } from '../../../../plugins/sdk/hooks/unread-answer.ts';
import type { CacheStatus, GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { RecordBatches } from '../../../../plugins/telemetry/otlp/records/record-batches.ts';
import { readRecords } from '../../../../plugins/telemetry/otlp/records/record-codec.ts';
import type { RequestRecord, SpanPlace, WrittenRecord } from '../../../../plugins/telemetry/otlp/records/records.ts';
import { type TapOptions, tapRequests } from '../../../../plugins/telemetry/otlp/tap-requests.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { compileConfig } from '../../../support/plans/compile-config.ts';

const usage: UsageRecord = { kind: 'reported', model: 'answered', input: { total: 21 }, output: { total: 9 } };
const answer: GatewayResponse = {
  status: 200,
  headers: [],
  origin: 'upstream',
  body: { kind: 'bytes', bytes: Buffer.from('') },
};
const path = toPointer(['targets', 0]);
const traceId = 'a'.repeat(32);
const unread: UnreadAnswer = {
  path,
  target: 'first',
  attempt: 1,
  dialect: 'chat',
  listedAs: 'the-list',
  request: Buffer.from('a request'),
  answer: Buffer.from('an answer'),
};

const start = (options: Partial<TapOptions> = {}) => {
  const taken: Buffer[] = [];
  const reader = new RecordReader();
  const batches = new RecordBatches(
    {
      next: (bytes) => Buffer.alloc(bytes),
      take: (batch) => {
        taken.push(Buffer.from(batch));
      },
      waitingBytes: () => 0,
    },
    () => {},
  );
  const hooks = createHooks();
  let time = 0;
  const now = (): number => ++time;
  tapRequests(hooks, {
    traces: true,
    metrics: true,
    sampleRatio: 1,
    now,
    records: batches,
    addModels: () => {},
    ...options,
  });
  const events = { path, target: 'first', attempt: 1 } as const;
  return {
    hooks,
    /** Sends an attempt and returns the headers that are added to it. */
    send(exchange: Exchange, model = 'asked'): Readonly<Record<string, string>> {
      const added: Record<string, string> = {};
      const attempt: AttemptStart = {
        ...events,
        provider: 'openai',
        listedAs: 'openai',
        origin: 'http://localhost:1',
        model,
        addHeader: (name, value) => {
          added[name] = value;
        },
      };
      hooks.attempting.call(attempt, exchange);
      hooks.attempted.call({ kind: 'attempted', ...events, status: 200, origin: 'upstream' }, exchange);
      return added;
    },
    settle: (exchange: Exchange) => hooks.usageRecorded.call({ kind: 'settled', ...events, usage }, exchange),
    leaveUnread: (exchange: Exchange) => hooks.deferredUsage.get('chat')?.call(unread, exchange),
    complete: (exchange: Exchange) => hooks.completed.call(answer, exchange, 'complete'),
    records(): readonly WrittenRecord[] {
      batches.flush();
      return taken.splice(0).flatMap((batch) => readRecords(reader, batch));
    },
  };
};

const toResult = (id: string, isAsync: boolean): HookResult => ({
  verdict: true,
  id: 'hook',
  transformed: false,
  checks: [{ verdict: true, id, data: null, execution_time: 1, created_at: 0, transformed: false, log: null }],
  feedback: null,
  execution_time: 1,
  async: isAsync,
  type: 'guardrail',
  created_at: 0,
  deny: false,
});

/** An outline of each record: its kind, whether it has a span, and whether it is measured. */
const toOutline = (records: readonly WrittenRecord[]) =>
  records.map((record) => {
    const { kind } = record;
    const { isMeasured } = { isMeasured: false, ...(kind === 'unread' ? record.facts : record) };
    return [kind, findPlace(record) !== null, isMeasured];
  });

const findPlace = (record: WrittenRecord | undefined): SpanPlace | null | undefined => {
  if (record?.kind === 'overhead') return null;
  return record?.kind === 'unread' ? record.facts.place : record?.place;
};

describe('records of requests', () => {
  it('mask a service key that a caller has put into a path or into the name of a model', () => {
    const key = `gw-${'A'.repeat(26)}-${'b'.repeat(52)}-${'c'.repeat(6)}`;
    const { send, settle, complete, records } = start();
    const exchange = sampleExchange({}, { traceId, url: `/v1/${'x'.repeat(200)}/${key}/chat?q=1` });
    send(exchange, key);
    settle(exchange);
    complete(exchange);
    expect(records()).toMatchObject([
      { kind: 'attempt', askedModel: 'gw-…' },
      { kind: 'request', path: `/v1/${'x'.repeat(200)}/gw-…/chat` },
    ]);
  });

  it('include one for each attempt and one for the request, in the same trace', () => {
    const { send, settle, complete, records } = start();
    const exchange = sampleExchange({}, { traceId });
    const { traceparent } = send(exchange);
    settle(exchange);
    complete(exchange);
    const [attempt, request] = records();
    const spanId = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(findPlace(attempt)).toEqual({ traceId, spanId, parentId: findPlace(request)?.spanId, state: null });
    expect(findPlace(request)).toEqual({ traceId, spanId, parentId: null, state: null });
    expect(traceparent).toBe(`00-${traceId}-${findPlace(attempt)?.spanId}-01`);
  });

  const parent = ['traceparent', `00-${'d'.repeat(32)}-${'e'.repeat(16)}-01`];
  it.each<readonly [string, readonly string[], object]>([
    [
      'that the client sends, which take precedence over `traceparent`',
      [...parent, 'x-gw-span-id', 'B'.repeat(16), 'x-gw-parent-span-id', 'c'.repeat(16), 'x-gw-span-name', 'a step'],
      { place: { traceId, spanId: 'b'.repeat(16), parentId: 'c'.repeat(16) }, spanName: 'a step' },
    ],
    [
      'that the gateway creates if the client sends no valid ones',
      [...parent, 'x-gw-span-id', '0'.repeat(16), 'x-gw-parent-span-id', crypto.randomUUID(), 'x-gw-span-name', ''],
      {
        place: { traceId: 'd'.repeat(32), spanId: expect.not.stringMatching(/^0+$/), parentId: 'e'.repeat(16) },
        spanName: null,
      },
    ],
  ])('have the ids and the name %s', (_, headers, expected) => {
    const { send, settle, complete, records } = start();
    const exchange = sampleExchange({}, { traceId });
    const named = { ...exchange, request: { ...exchange.request, headers } };
    send(named);
    settle(named);
    complete(named);
    const [attempt, request] = records();
    expect(request).toMatchObject(expected);
    expect(findPlace(attempt)).toMatchObject({
      traceId: findPlace(request)?.traceId,
      parentId: findPlace(request)?.spanId,
    });
  });

  it('end when the answer is complete, if that time is known', () => {
    const toEnd = (given: Partial<Exchange>): unknown => {
      const { complete, records } = start();
      complete(sampleExchange({}, given));
      return (records()[0] as RequestRecord).endedAt;
    };
    expect(toEnd({ labels: { prompt: undefined, answeredAt: 7.5 } })).toBe(7.5);
    expect(toEnd({})).toBe(2);
  });

  it('contain the similarity reported by the cache of the leaf that answered', () => {
    const other = toPointer(['targets', 1]);
    const miss = { kind: 'missed', path, similarity: 0.9131 } as const;
    const hit = { kind: 'cached', path: other, status: 'SEMANTIC HIT', ageS: 1, similarity: 0.9732 } as const;
    const toSimilarity = (cache: CacheStatus, leaf: JsonPointer): unknown => {
      const { hooks, records } = start();
      const response = { ...answer, leaf: { path: leaf, provider: 'openai', retries: 0, cache } };
      hooks.completed.call(response, sampleExchange({}, { trail: [miss, hit] }), 'complete');
      return (records()[0] as RequestRecord).cacheSimilarity;
    };
    expect(toSimilarity('SEMANTIC HIT', other)).toBe(0.9732);
    expect(toSimilarity('SEMANTIC MISS', path)).toBe(0.9131);
    expect(toSimilarity('SEMANTIC MISS', toPointer(['targets', 2]))).toBeNull();
    expect(toSimilarity('MISS', path)).toBeNull();
  });

  it('include unread answers, for spans and for measurements', () => {
    for (const metrics of [false, true]) {
      const { send, leaveUnread, complete, records } = start({ metrics });
      const exchange = sampleExchange({}, { traceId });
      send(exchange);
      leaveUnread(exchange);
      complete(exchange);
      const [record, request] = records();
      if (record?.kind !== 'unread') throw new Error('Nothing is unread.');
      expect(record.unread).toEqual({
        dialect: 'chat',
        request: Buffer.from('a request'),
        answer: Buffer.from('an answer'),
      });
      expect(toOutline([record])).toEqual([['unread', true, metrics]]);
      expect(toOutline(request === undefined ? [] : [request])).toEqual([['request', true, false]]);
    }
  });

  it('do not include unread answers that are neither sampled nor measured', () => {
    const { send, leaveUnread, complete, records } = start({ metrics: false, sampleRatio: 0 });
    const exchange = sampleExchange();
    send(exchange);
    leaveUnread(exchange);
    complete(exchange);
    expect(records()).toEqual([]);
  });

  it("end an attempt's span with its request, and measure the attempt once when it settles", () => {
    const { send, settle, complete, records } = start();
    const exchange = sampleExchange();
    send(exchange);
    complete(exchange);
    expect(toOutline(records())).toEqual([
      ['attempt', true, false],
      ['request', true, false],
    ]);
    settle(exchange);
    settle(exchange);
    expect(toOutline(records())).toEqual([['attempt', false, true]]);
  });

  it('include attempts whose request never completes, such as those of caches for vectors', () => {
    const { send, settle, records } = start();
    const exchange = sampleExchange();
    send(exchange);
    settle(exchange);
    expect(toOutline(records())).toEqual([['attempt', true, true]]);
  });

  it("have no spans if the request is not sampled, which the provider's traceparent header states", () => {
    const { send, settle, complete, records } = start({ sampleRatio: 0 });
    const exchange = sampleExchange({}, { traceId });
    const first = send(exchange).traceparent;
    expect(first).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    settle(exchange);
    expect(send(exchange).traceparent).not.toBe(first);
    settle(exchange);
    complete(exchange);
    expect(toOutline(records())).toEqual([
      ['attempt', false, true],
      ['attempt', false, true],
    ]);
  });

  it('do not exist if nothing is sampled or measured, and then usage is not wanted', () => {
    const { hooks, send, settle, complete, records } = start({ sampleRatio: 0, metrics: false });
    const exchange = sampleExchange();
    expect(hooks.usageWanted.call(exchange)).toBeUndefined();
    const { traceparent = '' } = send(exchange);
    // The id of an unsampled request does not belong to a trace.
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(send(exchange).traceparent?.slice(0, 35)).toBe(traceparent.slice(0, 35));
    settle(exchange);
    complete(exchange);
    expect(records()).toEqual([]);
    const sampled = start({ metrics: false });
    expect(sampled.hooks.usageWanted.call(sampleExchange())).toBe(true);
  });

  it('only measure and add no headers if traces are off', () => {
    const { send, settle, complete, records } = start({ traces: false });
    const headers = ['traceparent', `00-${traceId}-${'b'.repeat(16)}-01`];
    const exchange = sampleExchange({});
    const traced = { ...exchange, request: { ...exchange.request, headers } };
    expect(send(traced)).toEqual({});
    settle(traced);
    complete(traced);
    expect(toOutline(records())).toEqual([['attempt', false, true]]);
  });

  it('contain the verdicts of checks, except those after the answer', () => {
    const { hooks, complete, records } = start();
    const exchange = sampleExchange();
    const judge = (id: string, isAsync: boolean): void =>
      hooks.judged.call({ path, phase: 'input', result: toResult(id, isAsync) }, exchange);
    judge('before', false);
    complete(exchange);
    judge('after', true);
    const all = records();
    expect(toOutline(all)).toEqual([['request', true, false]]);
    expect((all[0] as RequestRecord).events).toMatchObject([
      { name: 'gatewright.verdict', at: 2, attributes: { 'gatewright.check': 'before', 'gatewright.verdict': true } },
    ]);
  });

  it("include the gateway's own time for every request if metrics are sent", () => {
    const own = { routing: compileConfig('{ "provider": "echo" }'), label: 'sample@1' };
    const measured = ({ hooks, records }: ReturnType<typeof start>): readonly WrittenRecord[] => {
      hooks.overheadMeasured.call(0.25, sampleExchange({}, { plan: own }));
      hooks.overheadMeasured.call(1, sampleExchange({}, { plan: { ...own, isCallers: true } }));
      hooks.overheadMeasured.call(2, sampleExchange({}, { route: { operation: 'opaque' } }));
      return records();
    };
    const unsampled = start({ sampleRatio: 0 });
    expect(measured(unsampled)).toEqual([
      { kind: 'overhead', plan: own.routing.name, endpoint: 'chat', ms: 0.25 },
      // A different plan object, as callers bring them.
      expect.anything(),
      { kind: 'overhead', plan: '(none)', endpoint: 'pass_through', ms: 2 },
    ]);
    expect(start({ metrics: false }).hooks.overheadMeasured.isUsed()).toBe(false);
  });

  it("follow the model names of their plan, which are added once per plan and not for callers' plans", () => {
    const added: (readonly string[])[] = [];
    const { send, settle } = start({ addModels: (names) => void added.push(names) });
    const plan = (config: object, more: object = {}) => ({
      plan: { routing: compileConfig(JSON.stringify(config)), label: 'sample@1', ...more },
    });
    const own = plan({ provider: 'openai', api_key: '${env:KEY}', override_params: { model: 'our-model' } });
    const callers = plan(
      { provider: 'openai', api_key: '${env:KEY}', override_params: { model: 'made-up' } },
      { isCallers: true },
    );
    for (const each of [own, own, callers, plan({ provider: 'openai', api_key: '${env:KEY}' }), own]) {
      const exchange = sampleExchange({}, each);
      send(exchange);
      settle(exchange);
    }
    expect(added).toEqual([['our-model']]);
  });
});
