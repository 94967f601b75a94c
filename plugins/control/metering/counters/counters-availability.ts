import type { Clock } from '../../../sdk/clock.ts';
import { FailurePause } from '../../../sdk/time/failure-pause.ts';
import { type CountersPlace, capitalised } from './remote-counters.ts';

const failuresBeforePause = 3;
const pauseMs = 250;
const logEveryMs = 60_000;

interface CountersAvailabilityOptions {
  readonly clock: Clock;
  readonly say: (text: string) => void;
  readonly place: CountersPlace;
}

/**
 * Tracks whether remote counters respond, and notifies the operator once when they stop responding and once when they respond
 * again.
 */
export class CountersAvailability {
  readonly #now: () => number;
  readonly #say: (text: string) => void;
  readonly #place: CountersPlace;
  readonly #pause: FailurePause;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #isLogged = false;
  #failures = 0;

  constructor({ clock, say, place }: CountersAvailabilityOptions) {
    this.#now = () => clock.monotonic();
    this.#say = say;
    this.#place = place;
    this.#pause = new FailurePause({ failures: failuresBeforePause, pauseMs, now: this.#now });
  }

  /**
   * Whether to query the counters. After several failures in a row they are queried only a few times a second, so that requests
   * do not wait.
   */
  enter(): boolean {
    return this.#pause.enter();
  }

  /** Whether the last queries all failed. */
  isUnavailable(): boolean {
    return this.#failures >= failuresBeforePause;
  }

  succeeded(): void {
    this.#pause.succeeded();
    this.#failures = 0;
    if (this.#isLogged) this.#say(`gw: ${capitalised(this.#place.name)} answers again.\n`);
    this.#isLogged = false;
  }

  failed(error: unknown): void {
    this.#pause.failed();
    this.#failures += 1;
    if (this.#isLogged || this.#now() - this.#loggedAt < logEveryMs) return;
    this.#isLogged = true;
    this.#loggedAt = this.#now();
    const { name, advice, describe } = this.#place;
    this.#say(
      `gw: ${capitalised(name)} cannot be used (${describe(error)}). ${advice(error)}; until then, limits of keys and others let requests through, and count them afterwards, unless a policy has "if_unknown": "refuse".\n`,
    );
  }
}
