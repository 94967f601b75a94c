import type { SimulatedReply } from '../../../schema/forecast/simulation.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { targetProvider } from '../../../schema/plan/target-model.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Draws } from './draws.ts';
import { choice, nameOf, number, objects, type Read, readMembers } from './members.ts';
import type { Latency, Traffic } from './traffic.ts';

const errors = ['refused', 'hang', 'cut'] as const;

/** A failure of targets during a period. */
export interface Failure {
  readonly target?: string;
  readonly provider?: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The share of the calls that fail, from 0 to 1. */
  readonly share: number;
  readonly status?: number;
  readonly error?: (typeof errors)[number];
  readonly retryAfterS?: number;
  /** The factor by which answers take longer. */
  readonly slower: number;
}

const seconds = number({ from: 0, to: 7 * 24 * 3600 });

const failureMembers = (targets: readonly Target[]) => ({
  target: nameOf(
    targets.map(({ id }) => id),
    'target',
  ),
  provider: nameOf([...new Set(targets.flatMap((target) => targetProvider(target) ?? []))], 'provider'),
  from_s: seconds,
  to_s: seconds,
  share: number({ from: 0, to: 1 }),
  status: number({ from: 200, to: 599, whole: true }),
  error: choice(errors),
  retry_after_s: number({ from: 0, to: 86_400 }),
  slower: number({ from: 1, to: 1000 }),
});

const toFailure = (members: Read<ReturnType<typeof failureMembers>>, file: string): Failure => {
  const { target, provider, share = 1, status, error, slower } = members;
  const { from_s: fromS = 0, to_s: toS, retry_after_s: retryAfterS } = members;
  if (status === undefined && error === undefined && slower === undefined)
    throw new UsageError(
      `In ${file}, a failure does not specify what goes wrong.`,
      'Give it "status", "error" or "slower".',
    );
  if (toS !== undefined && toS <= fromS)
    throw new UsageError(
      `In ${file}, a failure ends at ${toS} s, before it begins.`,
      'Make "to_s" more than "from_s".',
    );
  return {
    ...(target !== undefined && { target }),
    ...(provider !== undefined && { provider }),
    ...{ fromMs: fromS * 1000, toMs: (toS ?? Number.POSITIVE_INFINITY) * 1000, share },
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    slower: slower ?? 1,
  };
};

/** Reads a list of failures. Throws a `UsageError` that states what is wrong with it. */
export const readFailures = (value: Json, file: string, targets: readonly Target[]): readonly Failure[] => {
  const table = { failures: objects(1000, failureMembers(targets)) };
  const { failures = [] } = readMembers(file, isJsonObject(value) ? value : { failures: value }, table);
  return failures.map((members) => toFailure(members, file));
};

/** Reports each failure that has no effect, because it begins after the traffic has ended. */
export const listLate = (failures: readonly Failure[], durationMs: number): readonly string[] =>
  failures.flatMap(({ fromMs }, at) =>
    fromMs < durationMs
      ? []
      : [
          `failures[${at}] begins at ${fromMs / 1000} s and has no effect: the traffic ends at ${durationMs / 1000} s. Correct "from_s", or let the traffic last longer.`,
        ],
  );

/** The 95th percentile of a standard normal distribution. */
const normal95 = 1.6448536269514722;

/** Draws a time from a log-normal distribution. */
const drawnMs = ({ medianMs, p95Ms }: Latency, draws: Draws, name: string): number => {
  const [one, other] = [1 - draws.next(`${name} a`), draws.next(`${name} b`)];
  const normal = Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  return medianMs * Math.exp((Math.log(p95Ms / medianMs) / normal95) * normal);
};

const defaultLatency: Latency = { medianMs: 500, p95Ms: 1500 };

/**
 * Returns how targets answer: with the latency of the traffic, and with the failures of the moment. The first failure that
 * applies to a call decides.
 */
export const replies = (
  { latencies }: Traffic,
  failures: readonly Failure[],
  draws: Draws,
): ((target: Target, atMs: number) => SimulatedReply) => {
  const latencyOf = ({ id }: Target): Latency =>
    latencies.find(({ target }) => target === id) ??
    latencies.find(({ target }) => target === undefined) ??
    defaultLatency;
  return (target, atMs) => {
    const { id } = target;
    const now = failures.filter(
      (each) =>
        (each.target ?? id) === id &&
        (each.provider === undefined || each.provider === targetProvider(target)) &&
        each.fromMs <= atMs &&
        atMs < each.toMs,
    );
    const afterMs = now.reduce((ms, { slower }) => ms * slower, drawnMs(latencyOf(target), draws, id));
    for (const { share, status, error, retryAfterS } of now) {
      if ((status === undefined && error === undefined) || draws.next(`${id} fails`) >= share) continue;
      // A refused connection fails at once.
      if (error !== undefined) return { step: { error }, afterMs: error === 'refused' ? 0 : afterMs };
      const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) };
      return { step: { ...(status !== undefined && { status }), headers }, afterMs };
    }
    return { step: {}, afterMs };
  };
};
