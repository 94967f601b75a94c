import type { Check, Verdict } from '../../../plugins/sdk/guardrail.ts';
import type { Cancellation } from '../../../plugins/sdk/http.ts';
import { CancellationSource } from '../../cancellation-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Soon } from '../soon.ts';
import type { CheckedPart } from './checked-part.ts';
import { checkInput, type Subject, type Watch } from './subject.ts';

/** Other promise implementations are awaited too, with the same time-out. */
const isThenable = (verdict: Verdict | Promise<Verdict>): verdict is Promise<Verdict> =>
  typeof verdict === 'object' && verdict !== null && 'then' in verdict;

/** What is noted of one check while it runs. Its cancellation is made when it looks at it: the client leaves, or it takes too long. */
class CheckWatch implements Watch {
  readonly #client: Cancellation | undefined;
  #source: CancellationSource | undefined;
  #stopListening: (() => void) | undefined;
  /** Whether the check looked at what may differ from one target to the next. */
  isOfTarget = false;

  constructor(client: Cancellation | undefined) {
    this.#client = client;
  }

  cancellation(): Cancellation {
    if (this.#source !== undefined) return this.#source;
    const source = new CancellationSource();
    this.#source = source;
    this.#stopListening = this.#client?.onCancel(() => source.cancel());
    return source;
  }

  looksAtTarget(): void {
    this.isOfTarget = true;
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
  { clock, ms, watch }: { clock: Clock; ms: number; watch: CheckWatch },
): Promise<Verdict> =>
  new Promise((settle, reject) => {
    const stop = clock.after(ms, () => {
      reject(new CheckTimeout(ms));
      watch.cancel();
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
 * A check's verdict, from this request's earlier ones if it is known. It fails with what the check throws, and with a
 * `CheckTimeout`, at which the cancellation that the check was given ends too: it throws, or its promise rejects.
 */
export const askCheck = (check: Check, { subject, part, clock, timeoutMs }: Asking): Soon<Verdict> => {
  const { call, phase, isBackground } = subject;
  // Each attempt has an answer of its own, which is judged anew.
  const memo = phase === 'input' ? call.run.verdicts : undefined;
  const known = memo?.find(check, part);
  if (known !== undefined) return known;
  const watch = new CheckWatch(isBackground ? undefined : call.exchange.cancellation);
  const given = (verdict: Verdict): Verdict => {
    if (!watch.isOfTarget) memo?.keep(check, part, verdict);
    return verdict;
  };
  let isWaitedFor = false;
  try {
    const asked = check(checkInput(subject, part, watch), timeoutMs);
    if (!isThenable(asked)) return given(asked);
    isWaitedFor = true;
    return inTime(asked, { clock, ms: timeoutMs, watch })
      .then(given)
      .finally(() => watch.release());
  } finally {
    if (!isWaitedFor) watch.release();
  }
};
