import { GatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { PollReport } from './poll.ts';

/** How long the store is unreadable before it is reported, in milliseconds, because a single query may fail. */
const reportAfterMs = 5000;

export interface ReadReportsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Writes a line for the operator. */
  readonly say: (text: string) => void;
  /** How long known keys are accepted while the store cannot be read, in milliseconds. */
  readonly staleAuthMs: number;
}

/** Returns why the store could not be read, as a sentence. */
export const toReason = (error: unknown): string =>
  toSentence(errorText(error instanceof GatewayError ? (error.cause ?? error) : error));

/** Reports once when the store can no longer be read, and once when it can be read again. */
export class ReadReports {
  readonly #options: ReadReportsOptions;
  /** Why the feeds that cannot be read cannot be. */
  readonly #failures = new Map<PollReport, string>();
  #isReported = false;

  constructor(options: ReadReportsOptions) {
    this.#options = options;
  }

  /** Returns why the store could not be read when last queried, as a sentence; undefined if it could be. */
  failure(): string | undefined {
    return this.#failures.values().next().value;
  }

  /** Creates the report of one feed. Failures before its first success are not reported, because then the gateway does not start. */
  ofFeed(): PollReport {
    const { clock } = this.#options;
    let readAt = Number.POSITIVE_INFINITY;
    const report: PollReport = {
      succeeded: () => {
        readAt = clock.monotonic();
        this.#failures.delete(report);
        this.#beReadable();
      },
      failed: (error) => {
        const reason = toReason(error);
        this.#failures.set(report, reason);
        if (clock.monotonic() - readAt >= reportAfterMs) this.#beUnreadable(reason);
      },
    };
    return report;
  }

  #beReadable(): void {
    if (!this.#isReported || this.#failures.size > 0) return;
    this.#isReported = false;
    this.#options.say('gw: The store is read again.\n');
  }

  #beUnreadable(reason: string): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const { say, staleAuthMs } = this.#options;
    const seconds = Math.round(staleAuthMs / 1000);
    say(
      `gw: The store cannot be read: ${reason} Requests are served with known data, and known keys are accepted for ${seconds} s at most.\n`,
    );
  }
}
