import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RunDeadline } from '../call/run.ts';

export interface TimedDeadlineOptions {
  readonly clock: Clock;
  /** Milliseconds after `startedAt`. */
  readonly ms: number;
  /** When the request was received, in milliseconds on the monotonic clock. */
  readonly startedAt: number;
}

/** The vendors' libraries retry after a 408, which would double the deadline. */
const isFinal = { headers: ['x-should-retry', 'false'] };

/** Reports that the deadline of a request has passed, `ms` milliseconds after its head was received. */
export const deadlineReport = (ms: number): ErrorReport => errorReport('deadline-exceeded', { ms }, isFinal);

/** Ends a run when its client disconnects or its deadline passes, whichever comes first. Released at the end of the answer. */
export class TimedDeadline extends CancellationSource implements RunDeadline {
  readonly ms: number;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #stopTimer: () => void;
  readonly #stopListening: () => void;

  constructor(client: Cancellation, { clock, ms, startedAt }: TimedDeadlineOptions) {
    super();
    this.ms = ms;
    this.#clock = clock;
    this.#startedAt = startedAt;
    this.#stopListening = client.onCancel(() => this.cancel(client.cause));
    // Timers with the same whole number of milliseconds share one timer.
    this.#stopTimer = clock.after(Math.ceil(this.leftMs), () => this.cancel(deadlineReport(ms)));
    if (this.leftMs === 0) this.cancel(deadlineReport(ms));
  }

  get leftMs(): number {
    return Math.max(0, this.ms - (this.#clock.monotonic() - this.#startedAt));
  }

  release(): void {
    this.#stopTimer();
    this.#stopListening();
  }
}
