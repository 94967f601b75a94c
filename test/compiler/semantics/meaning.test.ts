import { describe, expect, it } from 'vitest';
import { planMeaning } from '../../../compiler/semantics/meaning.ts';
import { observableMeaning } from '../../../compiler/semantics/observable-meaning.ts';
import type { Meaning, ScenarioOutcome } from '../../../compiler/semantics/outcome.ts';
import type { Reply, Scenario, ScenarioRequest } from '../../../compiler/semantics/scenario.ts';
import type { CheckHook, PlanNode, RetryStage } from '../../../schema/plan/plan.ts';
import {
  breakerStage,
  codes,
  leafAt,
  not2xx,
  targetTable,
  tierIs,
  toBalance,
  toConditional,
  toFallback,
} from '../../support/plans/plan-nodes.ts';

const okay: Reply = { kind: 'answer', status: 200, headers: {} };
const failing: Reply = { kind: 'answer', status: 503, headers: {} };
const answers = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  kind: 'answer',
  status,
  headers,
});

const ask = (afterMs = 0, params: { readonly stream?: boolean } = {}): ScenarioRequest => ({
  afterMs,
  facts: { metadata: { tier: 'gold' }, params, url: { pathname: '/v1/chat/completions' } },
});

/** Returns each target's replies in order, and then 200. */
const replying =
  (replies: Readonly<Record<string, readonly Reply[]>>): Scenario['upstream'] =>
  (target, nth) =>
    replies[target]?.[nth - 1] ?? okay;

const toMeaning = (root: PlanNode, scenario: Partial<Scenario>): Meaning =>
  planMeaning({ root, targets: targetTable }, { requests: [ask()], upstream: () => okay, ...scenario });

/** Returns the outcome of a scenario in which nothing is drawn. */
const toOutcome = (root: PlanNode, scenario: Partial<Scenario>): ScenarioOutcome => {
  const [only, ...others] = toMeaning(root, scenario);
  if (only === undefined || others.length > 0) throw new Error('More than one thing can happen.');
  return only.outcome;
};

const retryStage = (more: Partial<RetryStage> = {}): RetryStage => ({
  kind: 'retry',
  attempts: 2,
  on: [429, 503],
  useRetryAfter: true,
  ...more,
});

const hook = (id: string, onFail: boolean): CheckHook => ({
  id,
  type: 'guardrail',
  async: false,
  deny: { onFail, onSuccess: false },
  feedback: {},
  checks: [],
});

const kinds = (outcome: ScenarioOutcome): readonly string[] =>
  outcome.requests.flatMap(({ trail }) => trail.map(({ kind }) => kind));

describe('the meaning of draws', () => {
  it('has the exact probabilities of the weights of a load balance', () => {
    const meaning = toMeaning(toBalance([1, leafAt(0)], [2, leafAt(1)], [0, leafAt(2)]), {});
    const odds = meaning.map(({ probability, outcome }) => [outcome.requests[0]?.calls[0]?.target, probability]);
    expect(odds.sort()).toEqual([
      ['t0', '1/3'],
      ['t1', '2/3'],
    ]);
  });

  it('combines equal outcomes and adds their probabilities', () => {
    const root = toBalance([1, toBalance([1, leafAt(0)], [1, leafAt(1)])], [1, leafAt(0)]);
    const meaning = observableMeaning(toMeaning(root, {}));
    expect(meaning.map(({ probability }) => probability).sort()).toEqual(['1/4', '3/4']);
  });

  it('has both ends of the interval of a wait', () => {
    const meaning = toMeaning(leafAt(0, retryStage()), { upstream: replying({ t0: [failing] }) });
    const waits = meaning.map(({ probability, outcome }) => [probability, outcome.requests[0]?.waits]);
    expect(waits).toEqual([
      ['1/2', [{ from: 500, to: 1000, ms: 1000 }]],
      ['1/2', [{ from: 500, to: 1000, ms: 500 }]],
    ]);
  });
});

describe('a retry', () => {
  const heeded = answers(429, { 'retry-after-ms': '250' });

  it('is counted until the status of the answer is not listed', () => {
    const outcome = toOutcome(leafAt(0, retryStage()), { upstream: replying({ t0: [heeded, heeded] }) });
    expect(outcome.requests[0]).toMatchObject({ answer: { status: 200, retries: 2 }, tookMs: 500 });
    expect(kinds(outcome)).toEqual(['attempted', 'retried', 'attempted', 'retried', 'attempted']);
  });

  it('is reported as -1 when all retries are used up', () => {
    const outcome = toOutcome(leafAt(0, retryStage()), { upstream: () => heeded });
    expect(outcome.requests[0]).toMatchObject({ answer: { status: 429, retries: -1 } });
    expect(outcome.requests[0]?.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it('is reported as 0 for a status that is not listed', () => {
    const outcome = toOutcome(leafAt(0, retryStage()), { upstream: () => answers(400) });
    expect(outcome.requests[0]?.answer).toMatchObject({ status: 400, retries: 0 });
  });

  it('does not start a wait that would raise the total above a minute', () => {
    const long = answers(429, { 'retry-after': '40' });
    const outcome = toOutcome(leafAt(0, retryStage()), { upstream: () => long });
    expect(outcome.requests[0]).toMatchObject({ answer: { status: 429, retries: -1 }, tookMs: 40_000 });
    expect(outcome.requests[0]?.calls).toHaveLength(2);
  });

  it('starts a wait of exactly a minute', () => {
    const minute = answers(429, { 'retry-after': '60' });
    const outcome = toOutcome(leafAt(0, retryStage()), { upstream: replying({ t0: [minute] }) });
    expect(outcome.requests[0]).toMatchObject({ answer: { status: 200, retries: 1 }, tookMs: 60_000 });
  });

  it('follows every network failure, but a time-out only if 408 is listed', () => {
    const lost: Reply = { kind: 'network', cause: 'connection-lost' };
    const once = retryStage({ attempts: 1, on: [] });
    const calls = (root: PlanNode, first: Reply): number =>
      toMeaning(root, { upstream: replying({ t0: [first] }) })[0]?.outcome.requests[0]?.calls.length ?? 0;
    expect(calls(leafAt(0, once), lost)).toBe(2);
    expect(calls(leafAt(0, once), { kind: 'hang' })).toBe(1);
    expect(calls(leafAt(0, retryStage({ on: [408] })), { kind: 'hang' })).toBe(2);
  });
});

describe('a check', () => {
  const failing: Partial<Scenario> = { checks: () => 'fail' };

  it('that denies a request answers 446 without an upstream call, and does not affect the circuit', () => {
    const root = leafAt(
      0,
      { ...breakerStage, failures: codes(446) },
      { kind: 'input-checks', hooks: [hook('in', true)] },
    );
    const outcome = toOutcome(root, failing);
    expect(outcome.requests[0]).toMatchObject({ calls: [], answer: { status: 446, origin: 'check', retries: 0 } });
    expect(outcome.circuits).toEqual([{ path: root.path, circuit: { state: 'closed', failures: [] } }]);
  });

  it('that fails without denying turns 200 into 246, and changes no other status', () => {
    const root = leafAt(0, { kind: 'input-checks', hooks: [hook('in', false)] });
    expect(toOutcome(root, failing).requests[0]?.answer).toMatchObject({ status: 246, origin: 'upstream' });
    const refused = toOutcome(root, { ...failing, upstream: () => answers(204) });
    expect(refused.requests[0]?.answer.status).toBe(204);
  });

  it('that denies an answer causes an immediate retry if 446 is listed, and all causes share one counter', () => {
    const root = leafAt(0, retryStage({ attempts: 1, on: [446] }), {
      kind: 'output-checks',
      hooks: [hook('out', true)],
    });
    const outcome = toOutcome(root, { checks: (_hook, _target, nth) => (nth === 1 ? 'fail' : 'pass') });
    expect(outcome.requests[0]).toMatchObject({
      waits: [{ from: 0, to: 0, ms: 0 }],
      answer: { status: 200, retries: 1 },
    });
  });

  it('judges a stream before it is sent if a hook may deny it, and after delivery otherwise', () => {
    const judged = (deny: boolean, upstream: Scenario['upstream'] = () => okay) => {
      const root = leafAt(0, { kind: 'output-checks', hooks: [hook('out', deny)] });
      return toOutcome(root, { requests: [ask(0, { stream: true })], checks: () => 'fail', upstream }).requests[0];
    };
    expect(judged(true)?.answer).toMatchObject({ status: 446, origin: 'check' });
    expect(judged(false)).toMatchObject({
      answer: { status: 200, origin: 'upstream' },
      trail: [{ kind: 'attempted' }, { kind: 'checked', result: 'failed' }],
    });
    const cut = (): Reply => ({ kind: 'cut', content: true });
    expect(judged(true, cut)?.answer).toMatchObject({ status: 502, origin: 'network' });
    expect(judged(false, cut)?.trail).toMatchObject([{ kind: 'attempted' }, { kind: 'streamFailed' }]);
  });

  it('in the background changes nothing and records no event', () => {
    const root = leafAt(0, { kind: 'output-checks', hooks: [{ ...hook('out', true), async: true }] });
    const outcome = toOutcome(root, failing);
    expect(outcome.requests[0]?.answer.status).toBe(200);
    expect(kinds(outcome)).toEqual(['attempted']);
  });
});

describe('an additional attempt that output checks request', () => {
  const asking: CheckHook = {
    ...hook('out', true),
    checks: [{ check: 'test.check', id: 'test.check', parameters: {}, failOnError: false, retries: true }],
  };
  const root = (...hooks: readonly [CheckHook, ...CheckHook[]]): PlanNode =>
    leafAt(0, retryStage({ on: [446, 503] }), { kind: 'output-checks', hooks });
  const findAttempts = (outcome: ScenarioOutcome): readonly (number | undefined)[] =>
    outcome.requests.flatMap(({ trail }) =>
      trail.flatMap((event) => (event.kind === 'attempted' ? [event.status] : [])),
    );

  it('is made at once, and its judged answer is the result', () => {
    const outcome = toOutcome(root(asking), { checks: (_hook, _target, nth) => (nth === 1 ? 'retry' : 'pass') });
    expect(outcome.requests[0]).toMatchObject({ answer: { status: 200, retries: 1 }, waits: [], tookMs: 0 });
  });

  it('is made once per visit, whatever is retried after it', () => {
    const outcome = toOutcome(root(asking), { checks: () => 'retry' });
    expect(findAttempts(outcome)).toEqual([200, 200, 200, 200]);
    expect(outcome.requests[0]).toMatchObject({ answer: { status: 446, retries: -1 }, waits: [{ ms: 0 }, { ms: 0 }] });
  });

  it('leaves the first answer in place if its own answer cannot be judged', () => {
    const marking = { ...asking, deny: { onFail: false, onSuccess: false } };
    const outcome = toOutcome(root(marking), { checks: () => 'retry', upstream: replying({ t0: [okay, failing] }) });
    expect(findAttempts(outcome)).toEqual([200, 503]);
    expect(outcome.requests[0]?.answer).toMatchObject({ status: 246, retries: 1 });
  });

  it('is not made if another hook fails without requesting it, or if the check may not request it', () => {
    const other = { ...hook('other', false), checks: asking.checks };
    const checks: Scenario['checks'] = (name) => (name === 'other' ? 'fail' : 'retry');
    expect(findAttempts(toOutcome(root(asking, other), { checks }))).toEqual([200, 200, 200]);
    expect(findAttempts(toOutcome(root(hook('out', false)), { checks: () => 'retry' }))).toEqual([200]);
  });
});

describe('a circuit', () => {
  const guarded = leafAt(0, breakerStage);
  const twice = { requests: [ask(), ask()], upstream: replying({ t0: [failing] }) };

  it('that is open makes a fallback skip its branch', () => {
    const outcome = toOutcome(toFallback(not2xx, guarded, leafAt(1)), twice);
    expect(outcome.requests.map(({ calls }) => calls.map(({ target }) => target))).toEqual([['t0', 't1'], ['t1']]);
    expect(outcome.requests[1]?.trail[0]).toEqual({ kind: 'skipped', path: '', branches: [0] });
  });

  it('that is open is ignored if no branch is available', () => {
    const outcome = toOutcome(toFallback(not2xx, guarded), twice);
    expect(outcome.requests.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });

  it('makes a conditional as available as the branch that it chooses', () => {
    const choice = toConditional([[tierIs('gold'), 0]], 1, guarded, leafAt(1));
    expect(toOutcome(choice, twice).requests[1]?.calls[0]?.target).toBe('t0');
    expect(toOutcome(toFallback(not2xx, choice, leafAt(2)), twice).requests[1]?.calls[0]?.target).toBe('t2');
  });

  it('is decided by one probe after the cooldown', () => {
    const outcome = toOutcome(guarded, { ...twice, requests: [ask(), ask(30_000)] });
    expect(kinds(outcome)).toEqual(['attempted', 'circuitChanged', 'circuitChanged', 'attempted', 'circuitChanged']);
    expect(outcome.circuits).toEqual([{ path: guarded.path, circuit: { state: 'closed', failures: [] } }]);
  });

  it('is shared by identical leaves', () => {
    const twin = { ...guarded, path: leafAt(3).path };
    const outcome = toOutcome(toFallback(codes(), guarded, twin, leafAt(1)), twice);
    expect(outcome.requests[1]?.trail[0]).toEqual({ kind: 'skipped', path: '', branches: [0, 1] });
  });

  it('does not count a full connection pool', () => {
    const full: Reply = { kind: 'network', cause: 'pool-full' };
    const outcome = toOutcome(guarded, { upstream: () => full });
    expect(outcome.requests[0]?.answer).toMatchObject({ status: 503, origin: 'network' });
    expect(outcome.circuits[0]?.circuit).toEqual({ state: 'closed', failures: [] });
  });

  it('is read once, when the outermost group is entered', () => {
    const late = leafAt(1, breakerStage);
    const root = toFallback(not2xx, leafAt(2), toFallback(codes(), late, leafAt(3)));
    const outcome = toOutcome(root, {
      requests: [ask(), ask(29_500)],
      upstream: replying({ t1: [failing], t2: [failing, { kind: 'hang' }] }),
    });
    expect(outcome.requests[1]?.calls.map(({ target }) => target)).toEqual(['t2', 't3']);
  });
});

describe('a stream', () => {
  const streaming = { requests: [ask(0, { stream: true })] };
  const cut = (content: boolean): Scenario['upstream'] => replying({ t0: [{ kind: 'cut', content }] });
  const guarded = leafAt(0, breakerStage);

  it('that breaks before its first content is a failed call', () => {
    const outcome = toOutcome(toFallback(not2xx, guarded, leafAt(1)), { ...streaming, upstream: cut(false) });
    expect(outcome.requests[0]?.calls.map(({ target }) => target)).toEqual(['t0', 't1']);
  });

  it('that breaks later counts as delivered, and as a failure for its circuit', () => {
    const outcome = toOutcome(toFallback(not2xx, guarded, leafAt(1)), { ...streaming, upstream: cut(true) });
    expect(outcome.requests[0]?.answer.status).toBe(200);
    expect(kinds(outcome)).toEqual(['attempted', 'streamFailed', 'circuitChanged']);
    expect(outcome.circuits[0]?.circuit.state).toBe('open');
  });

  it('that a fallback discards does not affect its circuit', () => {
    const root = toFallback(codes(200), guarded, leafAt(1));
    const outcome = toOutcome(root, { ...streaming, upstream: cut(true) });
    expect(kinds(outcome)).toEqual(['attempted', 'fellBack', 'attempted']);
    expect(outcome.circuits[0]?.circuit).toEqual({ state: 'closed', failures: [] });
  });

  it('that breaks is a failed call if the client requested a whole answer', () => {
    expect(toOutcome(guarded, { upstream: cut(true) }).requests[0]?.answer).toMatchObject({
      status: 502,
      origin: 'network',
    });
  });
});
