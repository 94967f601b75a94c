import type { Clock } from '../../../../sdk/clock.ts';
import { FailurePause } from '../../../../sdk/time/failure-pause.ts';

/** As ioredis says it, and as `within` does. */
const timeOut = /\bCommand timed out|^There was no result within/;

/** How an answer of Redis begins that is an error, by itself and as ioredis reports it when it connects. */
const answer = /^(?:Ready check failed: )?([A-Z]{3,})\b/;

/**
 * Describes a failure for operators: its code, as `ECONNREFUSED` or `WRONGPASS`. Never its message, because nobody
 * promises that a password is in none.
 */
export const redisError = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.cause !== undefined) return redisError(error.cause);
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [, code] = answer.exec(error.message) ?? [];
  if (code !== undefined) return code;
  return timeOut.test(error.message) ? 'no answer in time' : 'no connection';
};

const failuresBeforePause = 3;
const pauseMs = 250;
const logEveryMs = 60_000;

/** Notes whether Redis answers, and notifies the operator: once when it no longer does, and once when it does again. */
export class RedisAvailability {
  readonly #now: () => number;
  readonly #say: (text: string) => void;
  readonly #pause: FailurePause;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #isLogged = false;
  #failures = 0;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#now = () => clock.monotonic();
    this.#say = say;
    this.#pause = new FailurePause({ failures: failuresBeforePause, pauseMs, now: this.#now });
  }

  /** Whether it is worth asking: after some failures in a row it is asked a few times a second, and no request waits. */
  enter(): boolean {
    return this.#pause.enter();
  }

  /** Whether Redis did not answer the last times that it was asked. */
  isUnavailable(): boolean {
    return this.#failures >= failuresBeforePause;
  }

  succeeded(): void {
    this.#pause.succeeded();
    this.#failures = 0;
    if (this.#isLogged) this.#say('gw: The Redis of the limits answers again.\n');
    this.#isLogged = false;
  }

  failed(error: unknown): void {
    this.#pause.failed();
    this.#failures += 1;
    if (this.#isLogged || this.#now() - this.#loggedAt < logEveryMs) return;
    this.#isLogged = true;
    this.#loggedAt = this.#now();
    this.#say(
      `gw: The Redis of the limits cannot be asked (${redisError(error)}). Check that it runs and lets the gateway in; until then, policies say what happens to requests.\n`,
    );
  }
}
