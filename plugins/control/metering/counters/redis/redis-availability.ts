import type { Clock } from '../../../../sdk/clock.ts';
import { FailurePause } from '../../../../sdk/time/failure-pause.ts';

/** As ioredis says it, and as `within` does. */
const timeOut = /\bCommand timed out|^There was no result within/;

/** How an answer of Redis begins that is an error, by itself and as ioredis tells of it when it connects. */
const answer = /^(?:Ready check failed: )?([A-Z]{3,})\b/;

/**
 * What operators are told of a failure: its code, as `ECONNREFUSED` or `WRONGPASS`. Never its message, because nobody promises
 * that a password is in none.
 */
export const redisFault = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.cause !== undefined) return redisFault(error.cause);
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [, code] = answer.exec(error.message) ?? [];
  if (code !== undefined) return code;
  return timeOut.test(error.message) ? 'no answer in time' : 'no connection';
};

/** Whether Redis answers, and what the operator is told of it: once when it no longer does, and once when it does again. */
export interface RedisAvailability {
  /** Whether it is worth asking: after some failures in a row it is asked a few times a second, and no request waits. */
  enter(): boolean;
  succeeded(): void;
  failed(error: unknown): void;
  /** Whether Redis did not answer the last times that it was asked. */
  isUnavailable(): boolean;
}

const failuresBeforePause = 3;
const pauseMs = 250;
const logEveryMs = 60_000;

export const redisAvailability = (clock: Clock, say: (text: string) => void): RedisAvailability => {
  const now = (): number => clock.monotonic();
  const pause = new FailurePause({ failures: failuresBeforePause, pauseMs, now });
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isLogged = false;
  let failures = 0;
  return {
    enter: () => pause.enter(),
    isUnavailable: () => failures >= failuresBeforePause,
    succeeded() {
      pause.succeeded();
      failures = 0;
      if (isLogged) say('gw: The Redis of the limits answers again.\n');
      isLogged = false;
    },
    failed(error) {
      pause.failed();
      failures += 1;
      if (isLogged || now() - loggedAt < logEveryMs) return;
      isLogged = true;
      loggedAt = now();
      say(
        `gw: The Redis of the limits cannot be asked (${redisFault(error)}). Check that it runs and lets the gateway in; until then, policies say what happens to requests.\n`,
      );
    },
  };
};
