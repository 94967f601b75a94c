import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import type { Clock } from '../../ports/clock.ts';

/** While a connection is being opened, the calls that come before it fail, so the first failures mean nothing yet. */
const enoughFailures = 3;
const enoughMs = 1000;
/** How often a cache that fails intermittently, and never for long, is reported, in milliseconds. */
const everyMs = 60_000;
const longMs = 5_000;

export interface CacheOutageOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The name of the cache in messages. */
  readonly name: string;
  /** An instruction in a sentence, or empty. */
  readonly advice: string;
  /** Notifies the operator. */
  readonly log: (text: string) => void;
}

/** Notifies the operator when a cache fails repeatedly, and when it works again. */
export class CacheOutage {
  readonly #options: CacheOutageOptions;
  #failures = 0;
  #since = 0;
  #reportedAt: number | undefined;
  #isReported = false;

  constructor(options: CacheOutageOptions) {
    this.#options = options;
  }

  succeeded(): void {
    this.#failures = 0;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#options.log(`${this.#options.name} works again.`);
  }

  failed(error: unknown): void {
    const { clock, name, advice, log } = this.#options;
    const now = clock.monotonic();
    if (this.#failures === 0) this.#since = now;
    this.#failures += 1;
    if (this.#isReported || this.#failures < enoughFailures || now - this.#since < enoughMs) return;
    const isShort = now - this.#since < longMs;
    if (isShort && this.#reportedAt !== undefined && now - this.#reportedAt < everyMs) return;
    this.#reportedAt = now;
    this.#isReported = true;
    log(
      `${name} does not work, so requests are served without it: ${toSentence(errorText(error))} ${advice}`.trimEnd(),
    );
  }
}
