import type { Clock } from '../../../../sdk/clock.ts';
import { FailurePause } from '../../../../sdk/time/failure-pause.ts';
import { redisFault } from './redis-fault.ts';

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
