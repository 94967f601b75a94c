import type { Check, Verdict } from '../../../plugins/sdk/guardrail.ts';
import type { Cancellation } from '../../../plugins/sdk/http.ts';
import { CancellationSource } from '../../cancellation-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CheckedPart } from './checked-part.ts';
import { checkInput, type Subject } from './subject.ts';

/** Other promise implementations are awaited too, with the same time-out. */
const isThenable = (verdict: Verdict | Promise<Verdict>): verdict is Promise<Verdict> =>
  typeof verdict === 'object' && verdict !== null && 'then' in verdict;

/** The cancellation of one check, made when the check looks at it: the client leaves, or the check takes too long. */
class CheckEnd {
  readonly #client: Cancellation | undefined;
  #source: CancellationSource | undefined;
  #stopListening: (() => void) | undefined;

  constructor(client: Cancellation | undefined) {
    this.#client = client;
  }

  get cancellation(): Cancellation {
    if (this.#source !== undefined) return this.#source;
    const source = new CancellationSource();
    this.#source = source;
    this.#stopListening = this.#client?.onCancel(() => source.cancel());
    return source;
  }

  cancel(): void {
    this.#source?.cancel();
  }

  release(): void {
    this.#stopListening?.();
  }
}

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
  { clock, ms, end }: { clock: Clock; ms: number; end: CheckEnd },
): Promise<Verdict> =>
  new Promise((settle, reject) => {
    const stop = clock.after(ms, () => {
      reject(new CheckTimeout(ms));
      end.cancel();
    });
    Promise.resolve(verdict).then(settle, reject).finally(stop);
  });

export interface Asking {
  readonly subject: Subject;
  readonly part: CheckedPart;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * A check's verdict, from this request's earlier ones if it is known. Rejects with what the check throws, and with a
 * `CheckTimeout`, at which the cancellation that the check was given ends too.
 */
export const askCheck = async (check: Check, { subject, part, clock, timeoutMs }: Asking): Promise<Verdict> => {
  const { call, phase, isBackground } = subject;
  // Each attempt has an answer of its own, which is judged anew.
  const memo = phase === 'input' ? call.run.verdicts : undefined;
  const known = memo?.find(check, part);
  if (known !== undefined) return known;
  const end = new CheckEnd(isBackground ? undefined : call.exchange.cancellation);
  let isOfTarget = false;
  const input = checkInput(subject, part, {
    cancellation: () => end.cancellation,
    looksAtTarget: () => {
      isOfTarget = true;
    },
  });
  try {
    const asked = check(input, timeoutMs);
    const verdict = isThenable(asked) ? await inTime(asked, { clock, ms: timeoutMs, end }) : asked;
    if (!isOfTarget) memo?.keep(check, part, verdict);
    return verdict;
  } finally {
    end.release();
  }
};
