import fc from 'fast-check';
import {
  type NetworkCause,
  type Reply,
  type Scenario,
  type ScenarioChecks,
  type ScenarioProbes,
  type ScenarioRequest,
  type ScenarioUpstream,
  type ScenarioVerdict,
  scenarioEpochMs,
} from '../../../compiler/semantics/scenario.ts';
import { facts } from './condition.ts';
import { comparingHook } from './scripted.ts';

const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  {},
  { 'retry-after': '2' },
  { 'retry-after': '61' },
  { 'retry-after': '40' },
  { 'retry-after-ms': '250', 'retry-after': '7' },
  { 'retry-after': new Date(scenarioEpochMs + 5000).toUTCString() },
);

/** Delays: together never longer than the shortest time-out, or already too long for it alone. */
const afterMs = fc.constantFrom(0, 0, 0, 250, 700, 5000);
const restMs = fc.constantFrom(0, 0, 200);

/** What an upstream can do: answer, fail, hang, or break off. */
const reply: fc.Arbitrary<Reply> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('answer'),
      status: fc.constantFrom(200, 200, 204, 400, 401, 402, 403, 404, 408, 429, 429, 500, 502, 503),
      headers,
      afterMs,
      restMs,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('network'),
      cause: fc.constantFrom<NetworkCause>('connection-failed', 'connection-lost', 'pool-full'),
      afterMs,
    }),
  },
  { weight: 1, arbitrary: fc.constant<Reply>({ kind: 'hang' }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut'), content: fc.boolean(), afterMs, restMs }) },
);

/** Maps any name to a place in a list, always the same. */
const toPlace = (name: string, length: number): number => {
  let place = 0;
  for (const letter of name) place = (place * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return place % length;
};

/** Prints a function as the data that it was created from when a law fails. */
const shown = <Fn extends object>(fn: Fn, data: unknown): Fn =>
  Object.assign(fn, { [fc.toStringMethod]: () => JSON.stringify(data) });

const okay: Reply = { kind: 'answer', status: 200, headers: {} };

/** Creates a function of target and call that distributes these replies. */
const toUpstream = (replies: readonly Reply[]): ScenarioUpstream =>
  shown((target, nth, key) => {
    // A rejected key stays rejected for some time.
    const place = key === undefined ? `${target}:${nth}` : `${target}:${key}:${Math.ceil(nth / 3)}`;
    return replies[toPlace(place, replies.length)] ?? okay;
  }, replies);

/** Creates a function of hook, target and run that distributes these verdicts. All copies get the same verdict. */
const listChecks = (verdicts: readonly ScenarioVerdict[]): ScenarioChecks =>
  shown((hook, target, nth) => {
    const run = hook === comparingHook ? 1 : nth;
    return verdicts[toPlace(`${hook}:${target}:${run}`, verdicts.length)] ?? 'pass';
  }, verdicts);

/** Deadlines: none, or some that coincide with or are reached by replies, waits and time-outs. */
export const deadline: fc.Arbitrary<number | undefined> = fc.constantFrom(
  ...[undefined, undefined, undefined, undefined, 300, 900, 1000, 2500, 5000, 30_000, 31_000],
);

/** The targets of generated plans, and some of those of configs. */
const targets = [
  ...['t0', 't1', 't2', 't3', 't4', 't5', 't', 't-0', 't-1', 't-2', 't-3'],
  ...['t-0-0', 't-0-1', 't-1-0', 't-1-1', 't-2-0', 't-0-0-0', 't-0-1-0', 't-1-0-0'],
];

const request: fc.Arbitrary<ScenarioRequest> = fc
  .record({
    afterMs: fc.constantFrom(0, 1000, 29_999, 30_000, 60_000),
    facts,
    deadlineMs: deadline,
    unable: fc.oneof(fc.constant([]), fc.subarray(targets)),
  })
  .map(({ deadlineMs, ...rest }) => (deadlineMs === undefined ? rest : { ...rest, deadlineMs }));

/** Creates a function of target and probe that distributes these answers. */
const toProbes = (answers: readonly boolean[]): ScenarioProbes =>
  shown((target, nth) => answers[toPlace(`${target}:${nth}`, answers.length)] ?? false, answers);

/** One to three requests, any upstream, any checks, any probes. */
export const scenario: fc.Arbitrary<Scenario> = fc.record({
  requests: fc.constantFrom(1, 2, 3, 3).chain((count) => fc.array(request, { minLength: count, maxLength: count })),
  upstream: fc.array(reply, { minLength: 1, maxLength: 12 }).map(toUpstream),
  checks: fc
    .array(fc.constantFrom<ScenarioVerdict>('pass', 'fail', 'retry'), { minLength: 1, maxLength: 6 })
    .map(listChecks),
  probes: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }).map(toProbes),
});
