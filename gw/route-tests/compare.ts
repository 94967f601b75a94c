import { headerValue } from '../../plugins/sdk/http/http.ts';
import type { RouteTestExpectations } from '../../schema/generated/route-test-file.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { RouteOutcome } from './route-bench.ts';

/** An expectation that was not met. */
export interface Difference {
  /** The place of the expectation below `expect`. */
  readonly pointer: JsonPointer;
  readonly expected: string;
  readonly got: string;
}

/** Describes the calls of a request in one line. */
const describeCalls = (targets: readonly string[]): string => (targets.length === 0 ? 'no calls' : targets.join(', '));

const describeMs = (waits: readonly number[]): string =>
  waits.length === 0 ? 'no waits' : waits.map((ms) => `${ms} ms`).join(', ');

const isSameList = <Item>(one: readonly Item[], other: readonly Item[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at]);

const describeBroken = (broken: boolean): string => (broken ? 'an answer that breaks off' : 'a whole answer');

/** Cuts a body to a helpful length. */
const shorten = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

const waitsOf = ({ trail }: RouteOutcome): readonly number[] =>
  trail.flatMap((event) => (event.kind === 'retried' ? [event.waitMs] : []));

const compareHeaders = (headers: Readonly<Record<string, string>>, outcome: RouteOutcome): readonly Difference[] =>
  Object.entries(headers).flatMap(([name, expected]) => {
    const got = headerValue(outcome.headers, name.toLowerCase());
    if (got === expected) return [];
    const pointer = childPointer(rootPointer, 'headers', name);
    return [
      { pointer, expected: `${name}: ${expected}`, got: got === undefined ? 'no such header' : `${name}: ${got}` },
    ];
  });

const compareDenied = (expected: string, { denied }: RouteOutcome): boolean =>
  denied.some((ids) => ids.some((id) => id.toLowerCase() === expected.toLowerCase()));

const describeDenied = ({ denied }: RouteOutcome): string =>
  denied.length === 0 ? 'nothing denied it' : `denied by ${denied.map((ids) => ids.join(', ')).join('; ')}`;

/** Lists how a request differed from what was expected; `one_of` and `shares` apply to several outcomes. */
export const compareOutcome = (expected: RouteTestExpectations, outcome: RouteOutcome): readonly Difference[] => {
  const { calls, status, waits_ms: waits, within_ms: within, headers = {}, denied, content, broken } = expected;
  const found: Difference[] = [];
  const differ = (member: keyof RouteTestExpectations, wanted: string, got: string): void =>
    void found.push({ pointer: childPointer(rootPointer, member), expected: wanted, got });
  if (calls !== undefined && !isSameList(calls, outcome.calls))
    differ('calls', describeCalls(calls), describeCalls(outcome.calls));
  if (status !== undefined && status !== outcome.status) differ('status', String(status), String(outcome.status));
  const waited = waitsOf(outcome);
  if (waits !== undefined && !isSameList(waits, waited)) differ('waits_ms', describeMs(waits), describeMs(waited));
  if (within !== undefined && outcome.elapsedMs > within)
    differ('within_ms', `at most ${within} ms`, `${outcome.elapsedMs} ms`);
  if (denied !== undefined && !compareDenied(denied, outcome))
    differ('denied', `denied by ${denied}`, describeDenied(outcome));
  if (content !== undefined && !outcome.body.includes(content))
    differ('content', `a body with ${JSON.stringify(content)}`, shorten(outcome.body));
  if (broken !== undefined && broken !== outcome.broken)
    differ('broken', describeBroken(broken), describeBroken(outcome.broken));
  return [...found, ...compareHeaders(headers, outcome)];
};

/** Lists the allowed calls that no draw made, and the draws that made other calls. */
export const compareCalls = (
  allowed: readonly (readonly string[])[],
  outcomes: readonly RouteOutcome[],
): readonly Difference[] => {
  const pointer = childPointer(rootPointer, 'one_of');
  const others = outcomes.filter(({ calls }) => !allowed.some((each) => isSameList(each, calls)));
  const [other] = others;
  const missing = allowed.flatMap((each, at) => (outcomes.some(({ calls }) => isSameList(each, calls)) ? [] : [at]));
  return [
    ...(other === undefined
      ? []
      : [{ pointer, expected: allowed.map(describeCalls).join(' or '), got: describeCalls(other.calls) }]),
    ...missing.map((at) => ({
      pointer: childPointer(pointer, at),
      expected: `a draw with ${describeCalls(allowed[at] ?? [])}`,
      got: 'no draw gives these calls',
    })),
  ];
};

/** An outcome and its probability. */
export interface Likely {
  readonly probability: number;
  readonly outcome: RouteOutcome;
}

/** Returns for each target the percentage of requests that call it last, to a tenth. */
const toShares = (outcomes: readonly Likely[]): ReadonlyMap<string, number> => {
  const shares = new Map<string, number>();
  for (const { probability, outcome } of outcomes) {
    const target = outcome.calls.at(-1);
    if (target !== undefined) shares.set(target, (shares.get(target) ?? 0) + 100 * probability);
  }
  return new Map([...shares].map(([target, percent]) => [target, Math.round(percent * 10) / 10]));
};

/** Lists the targets whose share of requests differs from the expected one. */
export const compareShares = (
  expected: Readonly<Record<string, number>>,
  outcomes: readonly Likely[],
): readonly Difference[] => {
  const shares = toShares(outcomes);
  return Object.entries(expected).flatMap(([target, percent]) => {
    const got = shares.get(target) ?? 0;
    if (Math.abs(got - percent) < 0.051) return [];
    const pointer = childPointer(rootPointer, 'shares', target);
    return [{ pointer, expected: `${percent} % at ${target}`, got: `${got} %` }];
  });
};
