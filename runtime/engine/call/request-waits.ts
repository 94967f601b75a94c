import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Waits } from '../../../plugins/sdk/http/http.ts';
import type { Clock } from '../../ports/clock.ts';

/** The waits of one request. They are also waits of the request that it was created for. */
export class RequestWaits implements Waits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #outer: Waits | undefined;
  #running = 0;
  #beganAt = 0;
  #endedMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, outer?: Waits) {
    this.#clock = clock;
    this.#outer = outer;
  }

  begin(): () => void {
    const endOuter = this.#outer?.begin();
    if (this.#running === 0) this.#beganAt = this.#clock.monotonic();
    this.#running += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      if (this.#running === 1) this.#endedMs = this.ms;
      this.#running -= 1;
      endOuter?.();
    };
  }

  get ms(): number {
    return this.#running === 0 ? this.#endedMs : this.#endedMs + this.#clock.monotonic() - this.#beganAt;
  }
}

/** Waits for others on behalf of a request. This is not counted as its own time. */
export const countWait = <Value>({ labels }: Pick<Exchange, 'labels'>, wait: () => Promise<Value>): Promise<Value> => {
  const end = labels?.waits?.begin();
  return end === undefined ? wait() : wait().finally(end);
};
