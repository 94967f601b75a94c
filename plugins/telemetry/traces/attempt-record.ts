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
    : {
        input: input.total,
        output: output.total,
        cacheRead: input.cacheRead ?? null,
        cacheWritten: input.cacheWrite === undefined ? null : sumOf(input.cacheWrite),
        reasoning: output.reasoning ?? null,
        nanoUsd: cost?.nanoUsd ?? null,
      };

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
  return {
    kind: 'attempt',
    place,
    isMeasured,
    isCallers: exchange.plan?.isCallers === true,
    operation,
    provider: start.provider,
    origin: start.origin,
    // Whatever text a client puts there.
    askedModel: unread === undefined ? (start.model?.slice(0, longestValue) ?? null) : null,
    path: start.path,
    target: start.target,
    attempt: start.attempt,
    startedAt: attempt.at,
    endedAt: at,
    status,
    error,
    streamFailure: place === null || settled === undefined ? null : streamFailureOf(attempt, exchange),
    model: settled?.usage.model.slice(0, longestValue) ?? '',
    usage: settled === undefined ? null : usedTokens(settled.usage),
    finishReasons: settled?.finishReasons ?? null,
  };
};

/** The record of an attempt whose request and answer are unread. */
export const unreadRecord = (
  attempt: AttemptRecord,
  { dialect, listedAs, request, answer }: UnreadAnswer,
): UnreadRecord => ({ kind: 'unread', attempt, dialect, listedAs, request, answer });
