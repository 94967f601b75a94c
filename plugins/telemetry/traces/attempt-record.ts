import type { TrailEvent } from '../../../schema/trail.ts';
import type { UsageRecord } from '../../../schema/usage-record.ts';
import type { Exchange } from '../../sdk/exchange.ts';
import type { UnreadAnswer } from '../../sdk/unread-answer.ts';
import { type AttemptRecord, longestValue, type SpanPlace, type UnreadRecord, type UsedTokens } from './records.ts';
import type { RunningAttempt } from './request-trace.ts';

type Settled = Extract<TrailEvent, { kind: 'settled' }>;

/** How an attempt ended. */
export interface AttemptEnd {
  /** Milliseconds of the runtime's clock. */
  readonly at: number;
  readonly exchange: Exchange;
  /** Absent where its request has ended before, and where its answer is unread. */
  readonly settled?: Settled;
  readonly unread?: UnreadAnswer;
}

const sumOf = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, amount) => sum + amount, 0);

export const usedTokens = ({ kind, input, output, cost }: UsageRecord): UsedTokens | null =>
  kind === 'none'
    ? null
    : [
        input.total,
        output.total,
        input.cacheRead ?? null,
        input.cacheWrite === undefined ? null : sumOf(input.cacheWrite),
        output.reasoning ?? null,
        cost?.nanoUsd ?? null,
      ];

/** Why the stream of an attempt failed after it had begun; null if it did not. */
const streamFailureOf = ({ start: { path } }: RunningAttempt, { trail }: Exchange): string | null => {
  const failure = trail.findLast((event) => event.kind === 'streamFailed');
  return failure?.path === path ? failure.cause : null;
};

/** The record of an attempt; `place` is null where it has no span. */
export const attemptRecord = (
  attempt: RunningAttempt,
  { at, exchange, settled, unread }: AttemptEnd,
  { place, isMeasured }: { readonly place: SpanPlace | null; readonly isMeasured: boolean },
): AttemptRecord => {
  const { start, operation, status, error } = attempt;
  return [
    'attempt',
    place,
    isMeasured,
    exchange.plan?.isCallers === true,
    operation,
    start.provider,
    start.origin,
    // Whatever text a client puts there.
    unread === undefined ? (start.model?.slice(0, longestValue) ?? null) : null,
    start.path,
    start.target,
    start.attempt,
    attempt.at,
    at,
    status,
    error,
    place === null || settled === undefined ? null : streamFailureOf(attempt, exchange),
    settled?.usage.model.slice(0, longestValue) ?? '',
    settled === undefined ? null : usedTokens(settled.usage),
    settled?.finishReasons ?? null,
  ];
};

/** The record of an attempt whose request and answer are copied beside it. */
export const unreadRecord = (
  attempt: AttemptRecord,
  { dialect, listedAs, request, answer }: UnreadAnswer,
): UnreadRecord => ['unread', attempt, dialect, listedAs, request.length, answer.length];
