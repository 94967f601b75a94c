import type { Check, Verdict } from '../../../plugins/sdk/guardrail.ts';
import type { Clock } from '../../ports/clock.ts';
import { isThenable, type Soon } from '../soon.ts';
import { CheckCancellation } from './check-cancellation.ts';
import type { CheckedPart } from './checked-part.ts';
import { checkInput, type Subject, TargetWatch } from './subject.ts';
import type { VerdictMemo } from './verdict-memo.ts';

/** A check that took too long. */
class CheckTimeout extends Error {
  constructor(ms: number) {
    super(`The check did not answer within ${ms} ms.`);
    this.name = 'TimeoutError';
  }
}

/** The verdict, unless it takes too long; a check that answers at once needs no timer. */
const inTime = (
  verdict: Promise<Verdict>,
  { clock, ms, cancellation }: { clock: Clock; ms: number; cancellation: CheckCancellation },
): Promise<Verdict> =>
  new Promise((settle, reject) => {
    const stop = clock.after(ms, () => {
      reject(new CheckTimeout(ms));
      cancellation.cancel();
    });
    Promise.resolve(verdict).then(settle, reject).finally(stop);
  });

export interface Asking {
  readonly subject: Subject;
  readonly part: CheckedPart;
  /** What the checks of this request said so far; absent where the check is asked once. */
  readonly memo: VerdictMemo | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * A check's verdict, from this request's earlier ones if it is known. It fails with what the check throws, and with a
 * `CheckTimeout`, at which the cancellation that the check was given ends too: it throws, or its promise rejects.
 */
export const askCheck = (check: Check, { subject, part, memo, clock, timeoutMs }: Asking): Soon<Verdict> => {
  const known = memo?.find(check, part);
  if (known !== undefined) return known;
  const { call, isBackground } = subject;
  const cancellation = new CheckCancellation(isBackground ? undefined : call.exchange.cancellation);
  const watch = memo === undefined ? undefined : new TargetWatch();
  const given = (verdict: Verdict): Verdict => {
    if (watch?.isOfTarget === false) memo?.keep(check, part, verdict);
    return verdict;
  };
  let isWaitedFor = false;
  try {
    const asked = check(checkInput(subject, part, { cancellation, watch }), timeoutMs);
    if (!isThenable(asked)) return given(asked);
    isWaitedFor = true;
    return inTime(asked, { clock, ms: timeoutMs, cancellation })
      .then(given)
      .finally(() => cancellation.end());
  } finally {
    if (!isWaitedFor) cancellation.end();
  }
};
