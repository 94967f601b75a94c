import type { TrailEventOf } from '../../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { Exchange } from '../../../sdk/exchange/exchange.ts';
import type { UnreadAnswer } from '../../../sdk/hooks/unread-answer.ts';
import { type AttemptFacts, type AttemptRecord, chosenText, type UnreadRecord, type UsedTokens } from './records.ts';
import type { RunningAttempt } from './request-trace.ts';

/** The outcome of an attempt, as reported at its end. Empty if its request ended before. */
export interface AttemptOutcome {
  readonly settled?: TrailEventOf<'settled'>;
  readonly unread?: UnreadAnswer;
}

/** How an attempt ended. */
export interface AttemptEnd {
  /** In milliseconds of the runtime's clock. */
  readonly at: number;
  readonly exchange: Exchange;
  readonly outcome: AttemptOutcome;
}

const toSum = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, amount) => sum + amount, 0);

const unknownTokens = { input: null, output: null, cacheRead: null, cacheWritten: null, reasoning: null } as const;

/** Null if neither tokens nor a cost are known. An answer without tokens, such as speech, may have a price for each request. */
export const usedTokens = ({ kind, input, output, cost }: UsageRecord): UsedTokens | null => {
  const nanoUsd = cost?.nanoUsd ?? null;
  if (kind === 'none') return nanoUsd === null ? null : { ...unknownTokens, nanoUsd };
  return {
    input: input.total,
    output: output.total,
    cacheRead: input.cacheRead ?? null,
    cacheWritten: input.cacheWrite === undefined ? null : toSum(input.cacheWrite),
    reasoning: output.reasoning ?? null,
    nanoUsd,
  };
};

/** Returns why the stream of an attempt failed after it had started. Null if it did not. */
const toStreamFailure = ({ start: { path } }: RunningAttempt, { trail }: Exchange): string | null => {
  const failure = trail.findLast((event) => event.kind === 'streamFailed');
  return failure?.path === path ? failure.cause : null;
};

/** Collects the facts of an attempt. `place` is null if it has no span. */
const toFacts = (
  { start, operation, status, error, at: startedAt }: RunningAttempt,
  { at: endedAt, exchange }: AttemptEnd,
  { place, isMeasured }: Pick<AttemptFacts, 'place' | 'isMeasured'>,
): AttemptFacts => ({
  place,
  isMeasured,
  isCallers: exchange.plan?.isCallers === true,
  operation,
  provider: start.provider,
  listedAs: start.listedAs,
  origin: start.origin,
  path: start.path,
  target: start.target,
  attempt: start.attempt,
  startedAt,
  endedAt,
  status,
  error,
});

/** Creates the record of an attempt. */
export const attemptRecord = (
  attempt: RunningAttempt,
  end: AttemptEnd,
  kept: Pick<AttemptFacts, 'place' | 'isMeasured'>,
): AttemptRecord | UnreadRecord => {
  const facts = toFacts(attempt, end, kept);
  const { settled, unread } = end.outcome;
  if (unread !== undefined) return { kind: 'unread', facts, unread };
  return {
    kind: 'attempt',
    ...facts,
    // May be any text that a client sends.
    askedModel: attempt.start.model === undefined ? null : chosenText(attempt.start.model),
    streamFailure: settled === undefined ? null : toStreamFailure(attempt, end.exchange),
    model: settled === undefined ? '' : chosenText(settled.usage.model),
    usage: settled === undefined ? null : usedTokens(settled.usage),
    finishReasons: settled?.finishReasons ?? null,
  };
};
