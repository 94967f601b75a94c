import type { Cancellation, Scope } from '../../../plugins/sdk/http.ts';
import { CancellationSource } from '../../cancellation-source.ts';
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
export class AttemptScope extends CancellationSource implements Scope {
  readonly attempt: number;
  /** Why it was cancelled. */
  reason: 'timeout' | 'left' | undefined;
  readonly #stopTimer: () => void;
  readonly #stopListening: () => void;

  constructor(client: Cancellation, { clock, timeoutMs, attempt }: AttemptLimits) {
    super();
    this.attempt = attempt;
    this.#stopTimer = clock.after(timeoutMs, () => this.#end('timeout'));
    this.#stopListening = client.onCancel(() => this.#end('left'));
  }

  get cancellation(): Cancellation {
    return this;
  }

  disarm(): void {
    this.#stopTimer();
  }

  release(): void {
    this.#stopTimer();
    this.#stopListening();
  }

  #end(reason: 'timeout' | 'left'): void {
    this.reason ??= reason;
    this.#stopTimer();
    this.cancel();
  }
}
