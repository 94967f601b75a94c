import type { Cancellation, Scope } from '../../../plugins/sdk/http/http.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';
import type { Deadline, Deadlines } from '../../async/deadlines.ts';

export interface AttemptLimits {
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly attempt: number;
  readonly tenant?: string | undefined;
}

/**
 * The end of one attempt: that of its request, or its time-out, whichever comes first. `disarm` cancels the time-out once an
 * answer has begun. `release` also stops listening to the client.
 */
export class AttemptScope extends CancellationSource implements Scope, Deadline {
  readonly attempt: number;
  readonly tenant: string | undefined;
  readonly timeoutMs: number;
  /** The reason for its cancellation. */
  reason: 'timeout' | 'left' | undefined;
  /** Whether its request was written to a connection, as far as that is known. */
  isWritten = false;
  expiresAt = 0;
  next: Deadline | undefined;
  previous: Deadline | undefined;
  readonly #deadlines: Deadlines;
  #isArmed = true;
  readonly #stopListening: () => void;

  constructor(client: Cancellation, { deadlines, timeoutMs, attempt, tenant }: AttemptLimits) {
    super();
    this.attempt = attempt;
    this.tenant = tenant;
    this.timeoutMs = timeoutMs;
    this.#deadlines = deadlines;
    deadlines.add(this, timeoutMs);
    this.#stopListening = client.onCancel(() => this.#endWith(client));
  }

  /** Returns when it began, in milliseconds on the monotonic clock. */
  get beganAt(): number {
    return this.expiresAt - this.timeoutMs;
  }

  get cancellation(): Cancellation {
    return this;
  }

  written(): void {
    this.isWritten = true;
  }

  expire(): void {
    this.#end('timeout');
  }

  disarm(): void {
    this.#isArmed = false;
    this.#deadlines.remove(this, this.timeoutMs);
  }

  release(): void {
    this.disarm();
    this.#stopListening();
  }

  /** A deadline may pass at the same time as the attempt's time-out, and be noticed first. */
  #endWith({ cause }: Cancellation): void {
    const hasTimedOut = cause !== undefined && this.#isArmed && this.#deadlines.isPast(this);
    this.#end(hasTimedOut ? 'timeout' : 'left', cause);
  }

  #end(reason: 'timeout' | 'left', cause?: ErrorReport): void {
    this.reason ??= reason;
    this.disarm();
    this.cancel(cause);
  }
}
