import type { SimulatedReply } from '../../../schema/forecast/simulation.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Draws } from './draws.ts';
import { Members } from './members.ts';
import type { Latency, Traffic } from './traffic.ts';

const errors = ['refused', 'hang', 'cut'] as const;

/** Something that goes wrong at targets during a time. */
export interface Failure {
  readonly target?: string;
  readonly provider?: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** How many of the calls fail, from 0 to 1. */
  readonly share: number;
  readonly status?: number;
  readonly error?: (typeof errors)[number];
  readonly retryAfterS?: number;
  /** By how much answers take longer. */
  readonly slower: number;
}

const known = ['target', 'provider', 'from_s', 'to_s', 'share', 'status', 'error', 'retry_after_s', 'slower'];

const providerOf = ({ from }: Target): string | undefined =>
  from.kind === 'inline' || from.kind === 'saved' ? from.provider : undefined;

const readFailure = (members: Members, file: string, targets: readonly Target[]): Failure => {
  members.refuseUnknown(
    'target',
    targets.map(({ id }) => id),
    'target',
  );
  members.refuseUnknown('provider', [...new Set(targets.flatMap((target) => providerOf(target) ?? []))], 'provider');
  const seconds = { from: 0, to: 7 * 24 * 3600 };
  const [target, provider] = [members.text('target'), members.text('provider')];
  const status = members.number('status', { from: 200, to: 599, whole: true });
  const error = members.choice('error', errors);
  const retryAfterS = members.number('retry_after_s', { from: 0, to: 86_400 });
  const slower = members.number('slower', { from: 1, to: 1000 });
  if (status === undefined && error === undefined && slower === undefined)
    throw new UsageError(
      `In ${file}, a failure says nothing that goes wrong.`,
      'Give it "status", "error" or "slower".',
    );
  const [fromS, toS] = [members.number('from_s', seconds) ?? 0, members.number('to_s', seconds)];
  if (toS !== undefined && toS <= fromS)
    throw new UsageError(
      `In ${file}, a failure ends at ${toS} s, before it begins.`,
      'Make "to_s" more than "from_s".',
    );
  return {
    ...(target !== undefined && { target }),
    ...(provider !== undefined && { provider }),
    ...{ fromMs: fromS * 1000, toMs: (toS ?? Number.POSITIVE_INFINITY) * 1000 },
    share: members.number('share', { from: 0, to: 1 }) ?? 1,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(retryAfterS !== undefined && { retryAfterS }),
    slower: slower ?? 1,
  };
};

/** Reads a list of failures. Throws a `UsageError` that says what is wrong with it. */
export const readFailures = (value: Json, file: string, targets: readonly Target[]): readonly Failure[] => {
  const wrapped = new Members(file, '', isJsonObject(value) ? value : { failures: value }, ['failures']);
  return (wrapped.objects('failures', 1000, known) ?? []).map((members) => readFailure(members, file, targets));
};

/** The 95th percentile of a standard normal distribution. */
const normal95 = 1.6448536269514722;

/** A time of a log-normal distribution. */
const drawnMs = ({ medianMs, p95Ms }: Latency, draws: Draws, name: string): number => {
  const [one, other] = [1 - draws.next(`${name} a`), draws.next(`${name} b`)];
  const normal = Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  return medianMs * Math.exp((Math.log(p95Ms / medianMs) / normal95) * normal);
};

const defaultLatency: Latency = { medianMs: 500, p95Ms: 1500 };

/** How targets answer: as fast as the traffic says, and with the failures of the moment. The first that fails a call decides. */
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
        (each.provider === undefined || each.provider === providerOf(target)) &&
        each.fromMs <= atMs &&
        atMs < each.toMs,
    );
    const afterMs = now.reduce((ms, { slower }) => ms * slower, drawnMs(latencyOf(target), draws, id));
    for (const { share, status, error, retryAfterS } of now) {
      if ((status === undefined && error === undefined) || draws.next(`${id} fails`) >= share) continue;
      // A connection is refused at once.
      if (error !== undefined) return { step: { error }, afterMs: error === 'refused' ? 0 : afterMs };
      const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) };
      return { step: { ...(status !== undefined && { status }), headers }, afterMs };
    }
    return { step: {}, afterMs };
  };
};
