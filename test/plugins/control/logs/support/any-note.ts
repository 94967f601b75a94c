import fc from 'fast-check';
import type { LoggedTarget, Note } from '../../../../../plugins/control/logs/encoding/noted-request.ts';
import type { RecordedHook } from '../../../../../plugins/control/logs/encoding/trail-codec.ts';
import type { LeafReport } from '../../../../../plugins/sdk/http/http.ts';
import type { RequestFacts } from '../../../../../plugins/sdk/logs/request-line.ts';
import type { RequestProblem } from '../../../../../plugins/sdk/logs/request-problem.ts';
import { errorTable } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../../schema/json/pointer.ts';
import type { Lack } from '../../../../../schema/model-facts/lack.ts';
import type { TrailEvent } from '../../../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';

type EventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { kind: Kind }>;

/** Texts of all kinds: ordinary, empty and long ones, U+0000, and halves of surrogate pairs. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'openai', 'gpt-4o', 'null', '__proto__', 'toString', 'constructor') },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom('\0', 'a\0b', '\ud83d', '\ude00 cut', `${'x'.repeat(100)}\ud83d`, '\u2028') },
  { weight: 1, arbitrary: fc.nat({ max: 3000 }).map((length) => 'é'.repeat(length)) },
  { weight: 1, arbitrary: fc.nat({ max: 300 }).map((length) => 'n'.repeat(length)) },
);

const path = anyText as fc.Arbitrary<JsonPointer>;
/** The numbers that JSON can express. */
const anyNumber = fc.oneof(
  fc.nat(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const times = fc.nat({ max: 10_000_000 }).map((hundredths) => hundredths / 100);

const some = <Members>(
  members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> },
): fc.Arbitrary<Partial<Members>> => fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<Members>>;

const json = fc
  .jsonValue()
  .map((value) => JSON.parse(JSON.stringify(value)))
  .filter((value) => value !== undefined);
const object = fc.dictionary(anyText, json, { noNullPrototype: true, maxKeys: 3 }) as fc.Arbitrary<JsonObject>;
/** An object with own members only. One of them may be `__proto__`. */
const labels: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(anyText, fc.oneof(anyText, json)), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs));

const usage: fc.Arbitrary<UsageRecord> = fc
  .tuple(
    fc.record({ kind: fc.constantFrom('reported', 'partial', 'estimated', 'none'), model: anyText }),
    some({
      tier: anyText,
      cacheHitRate: anyNumber,
      calls: fc.dictionary(anyText, anyNumber, { noNullPrototype: true }),
    }),
    fc.tuple(
      fc.record({ total: anyNumber }),
      some({
        cacheRead: anyNumber,
        cacheWrite: fc.dictionary(anyText, anyNumber, { noNullPrototype: true }),
        audio: anyNumber,
        image: anyNumber,
      }),
    ),
    fc.tuple(fc.record({ total: anyNumber }), some({ reasoning: anyNumber, audio: anyNumber, image: anyNumber })),
    some({ cost: fc.record({ nanoUsd: anyNumber, prices: anyText }) }),
  )
  .map(
    ([named, more, input, output, cost]) =>
      ({
        ...named,
        ...more,
        input: Object.assign({}, ...input),
        output: Object.assign({}, ...output),
        ...cost,
      }) as UsageRecord,
  );

const ofAttempt = { path, target: anyText, attempt: anyNumber };

const attempted: fc.Arbitrary<EventOf<'attempted'>> = fc
  .tuple(
    fc.record({
      kind: fc.constant('attempted' as const),
      ...ofAttempt,
      status: anyNumber,
      origin: fc.constantFrom('upstream', 'network', 'timeout', 'cache', 'check', 'limit', 'gateway'),
    }),
    some({
      ms: fc.oneof(fc.record({ sent: times }), fc.record({ sent: times, head: times })),
      cause: fc.constantFrom('request-timeout', 'connection-failed'),
      key: anyNumber,
    }),
  )
  .map(([event, ms]) => ({ ...event, ...ms }) as EventOf<'attempted'>);

const settled: fc.Arbitrary<EventOf<'settled'>> = fc
  .tuple(
    fc.record({ kind: fc.constant('settled' as const), ...ofAttempt, usage }),
    some({
      finishReasons: fc.oneof(
        fc.array(anyText, { maxLength: 3 }),
        fc.constant(Array.from({ length: 300 }, () => 'stop')),
      ),
      ms: fc.record({ end: times }),
    }),
  )
  .map(([event, more]) => ({ ...event, ...more }) as EventOf<'settled'>);

/** An event of any kind. */
const event: fc.Arbitrary<TrailEvent> = fc.oneof(
  attempted,
  settled,
  fc.record({ kind: fc.constant('chose' as const), path, branch: anyNumber }),
  fc.record({ kind: fc.constant('skipped' as const), path, branches: fc.array(anyNumber) }),
  fc.record({
    kind: fc.constant('unable' as const),
    path,
    branches: fc.array(
      fc.record({ branch: anyNumber, lacks: fc.subarray<Lack>(['vision', 'context', 'parallel-tool-calls']) }),
    ),
  }),
  fc.record({ kind: fc.constant('retried' as const), path, retry: anyNumber, waitMs: anyNumber }),
  fc.record({ kind: fc.constant('fellBack' as const), path, from: anyNumber, to: anyNumber, status: anyNumber }),
  fc.record({
    kind: fc.constant('cached' as const),
    path,
    status: fc.constantFrom('HIT', 'SEMANTIC HIT'),
    ageS: anyNumber,
    similarity: anyNumber,
  }),
  fc.record({ kind: fc.constant('missed' as const), path, similarity: anyNumber }),
  fc.record(
    {
      kind: fc.constant('checked' as const),
      path,
      phase: fc.constantFrom('input', 'output'),
      result: fc.constantFrom('passed', 'failed', 'denied'),
      erred: fc.constant(true as const),
    },
    { requiredKeys: ['kind', 'path', 'phase', 'result'] },
  ),
  fc.record({
    kind: fc.constant('circuitChanged' as const),
    path,
    from: fc.constantFrom('closed', 'open', 'half-open'),
    to: fc.constantFrom('closed', 'open', 'half-open'),
  }),
  fc.record({ kind: fc.constant('streamFailed' as const), path, cause: anyText }),
  fc.constant({ kind: 'clientLeft' as const }),
);

const line: fc.Arbitrary<RequestFacts> = fc
  .tuple(
    fc.record({
      trace: anyText,
      seed: fc.nat({ max: 2 ** 32 - 1 }),
      plan: fc.option(anyText),
      route: anyText.map((each) => `POST /${each}`),
      status: anyNumber,
      end: fc.constantFrom('complete' as const, 'failed' as const, 'left' as const),
      ms: times,
      trail: fc.array(event, { maxLength: 4 }),
    }),
    some({
      cause: fc.constantFrom(...(Object.keys(errorTable) as (keyof typeof errorTable)[])),
      planModel: anyText,
      deadlineMs: fc.nat(),
      once: fc.constant(true as const),
      stream: fc.constant(true as const),
      empty: fc.constant(true as const),
      key: anyText,
      metadata: labels,
    }),
  )
  .map(([always, more]) => ({ ...always, ...more }));

const leaf: fc.Arbitrary<LeafReport> = fc
  .tuple(
    fc.record({
      path,
      provider: anyText,
      retries: anyNumber,
      cache: fc.constantFrom('HIT', 'SEMANTIC HIT', 'MISS', 'SEMANTIC MISS', 'REFRESH', 'DISABLED'),
    }),
    some({ maker: fc.oneof(fc.record({ scope: anyText }), fc.record({ scope: anyText, slug: anyText })) }),
  )
  .map(([always, more]) => ({ ...always, ...more }) as LeafReport);

const hook: fc.Arbitrary<RecordedHook> = fc.record({
  id: anyText,
  path,
  phase: fc.constantFrom('input', 'output'),
  verdict: fc.boolean(),
  deny: fc.boolean(),
  checks: fc.array(
    fc.record(
      { id: anyText, verdict: fc.boolean(), erred: fc.constant(true as const) },
      { requiredKeys: ['id', 'verdict'] },
    ),
    { maxLength: 3 },
  ),
});

const target: fc.Arbitrary<LoggedTarget> = fc
  .tuple(fc.record({ id: anyText }), some({ provider: anyText, slug: anyText, model: anyText }))
  .map(([always, more]) => ({ ...always, ...more }));

const problem: fc.Arbitrary<RequestProblem> = fc
  .tuple(
    fc.record({ cause: anyText }),
    some({ target: anyText, path: anyText, attempt: anyNumber, about: anyText, hint: anyText }),
  )
  .map(([always, more]) => ({ ...always, ...more }));

/** Paths are JSON Pointers, so none of them is the name of a member that every object inherits. */
const targets = fc.dictionary(
  anyText.map((each) => `/${each}`),
  target,
  { noNullPrototype: true, maxKeys: 3 },
);

/** A note of any request. Each optional member may be absent. */
export const anyNote: fc.Arbitrary<Note> = fc
  .tuple(
    fc.record({
      organisation: anyText,
      workspace: anyText,
      operation: anyText,
      line,
      targets,
      balanced: fc.boolean(),
      checks: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(hook, { maxLength: 2 }) },
      ),
    }),
    some({ config: anyText, leaf, prompt: anyText, requestedModel: anyText }),
    // Most notes have none of these.
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: some({ problem, headers: object, error: anyText }) },
    ),
  )
  .map(([always, more, rare]) => ({ ...always, ...more, ...rare }));
