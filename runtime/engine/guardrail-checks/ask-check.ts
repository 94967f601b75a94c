import type { Check, Verdict } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { isThenable, type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TakeMemory } from '../../upstream/held-memory.ts';
import type { RunDeadline } from '../call/run.ts';
import type { CheckedPart } from '../guardrail-verdicts/checked-part.ts';
import type { VerdictMemo } from '../guardrail-verdicts/verdict-memo.ts';
import { CheckCancellation } from './check-cancellation.ts';
import { checkInput, type Subject, TargetWatch } from './subject.ts';

/** Thrown if a check took too long. */
class CheckTimeout extends Error {
  constructor(ms: number) {
    super(`The check did not answer within ${ms} ms.`);
    this.name = 'TimeoutError';
  }
}

/** Thrown if the request no longer waits for a check. */
class RequestEnded extends Error {
  constructor() {
    super('The request ended before the check answered.');
    this.name = 'AbortError';
  }
}

interface Waiting extends Pick<Asking, 'clock' | 'timeoutMs'> {
  /** The deadline of the request that waits for the verdict. */
  readonly deadline: RunDeadline | undefined;
}

/** Returns the verdict unless it takes too long. A check that answers synchronously needs no timer. */
const inTime = (
  verdict: Promise<Verdict>,
  { clock, timeoutMs, deadline }: Waiting,
  cancellation: CheckCancellation,
): Promise<Verdict> =>
  new Promise<Verdict>((settle, reject) => {
    const stopTimer = clock.after(timeoutMs, () => {
      reject(new CheckTimeout(timeoutMs));
      cancellation.cancel();
    });
    // A check may ignore its cancellation.
    const stopListening = deadline?.onCancel(() => {
      reject(new RequestEnded());
      stopTimer();
    });
    Promise.resolve(verdict)
      .then(settle, reject)
      .finally(() => {
        stopTimer();
        stopListening?.();
      });
  }).finally(() => cancellation.end());

export interface Asking {
  readonly subject: Subject;
  readonly part: CheckedPart;
  /** The results of the request's checks so far. Absent if the check is run only once. */
  readonly memo: VerdictMemo | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Reserves memory for what the check receives. */
  readonly takeMemory: TakeMemory | undefined;
}

const toVerdict = (check: Check, asking: Asking, watch: TargetWatch | undefined): MaybePromise<Verdict> => {
  const { subject, part, timeoutMs, takeMemory } = asking;
  const { call, isBackground } = subject;
  const { principal, labels } = call.exchange;
  const { tenant } = principal;
  const cancellation = isBackground
    ? new CheckCancellation(undefined, { tenant, takeMemory })
    : new CheckCancellation(call.cancellation, { tenant, waits: labels?.waits, takeMemory });
  let isWaitedFor = false;
  try {
    const asked = check(checkInput(subject, part, { cancellation, watch }), timeoutMs);
    if (!isThenable(asked)) return asked;
    isWaitedFor = true;
    return inTime(asked, { ...asking, deadline: isBackground ? undefined : call.run.deadline }, cancellation);
  } finally {
    if (!isWaitedFor) cancellation.end();
  }
};

const remembered = (check: Check, asking: Asking, memo: VerdictMemo): MaybePromise<Verdict> => {
  const known = memo.find(check, asking.part);
  if (known !== undefined) return known;
  const watch = new TargetWatch();
  return thenMaybe(toVerdict(check, asking, watch), (verdict) => {
    if (!watch.isOfTarget) memo.keep(check, asking.part, verdict);
    return verdict;
  });
};

/**
 * Returns a check's verdict, from this request's earlier verdicts if it is known. Fails (throws, or returns a promise that
 * rejects) with whatever the check throws, or with a `CheckTimeout`, which also ends the cancellation that the check received.
 */
export const askCheck = (check: Check, asking: Asking): MaybePromise<Verdict> =>
  asking.memo === undefined ? toVerdict(check, asking, undefined) : remembered(check, asking, asking.memo);
