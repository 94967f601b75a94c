import type { Cancellation, Scope } from '../../../plugins/sdk/http.ts';
import type { Clock } from '../../ports/clock.ts';

export interface AttemptLimits {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly attempt: number;
}

/**
 * One attempt's end: the client leaving, or its time-out, whichever comes first. `disarm` lifts the time-out once an
 * answer has begun; `release` lets go of the client as well.
 */
export class AttemptScope implements Scope, Cancellation {
  readonly attempt: number;
  /** Why it was cancelled. */
  reason: 'timeout' | 'left' | undefined;
  readonly #listeners: (() => void)[] = [];
  readonly #stopTimer: () => void;
  readonly #stopListening: () => void;

  constructor(client: Cancellation, { clock, timeoutMs, attempt }: AttemptLimits) {
    this.attempt = attempt;
    this.#stopTimer = clock.after(timeoutMs, () => this.#cancel('timeout'));
    this.#stopListening = client.onCancel(() => this.#cancel('left'));
  }

  get cancellation(): Cancellation {
    return this;
  }

  get cancelled(): boolean {
    return this.reason !== undefined;
  }

  onCancel(listener: () => void): () => void {
    if (this.cancelled) {
      listener();
      return () => {};
    }
    this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }

  disarm(): void {
    this.#stopTimer();
  }

  release(): void {
    this.#stopTimer();
    this.#stopListening();
  }

  #cancel(reason: 'timeout' | 'left'): void {
    if (this.cancelled) return;
    this.reason = reason;
    this.#stopTimer();
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
