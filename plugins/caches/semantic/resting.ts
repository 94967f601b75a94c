import type { Timers } from '../../sdk/in-process.ts';

const mostFailures = 5;
const restMs = 10_000;

/** Stops calls to a service for a while after several failures in a row. */
export class Resting {
  readonly #timers: Pick<Timers, 'wall'>;
  #failures = 0;
  #until = 0;

  constructor(timers: Pick<Timers, 'wall'>) {
    this.#timers = timers;
  }

  /** Makes the call. Rejects at once while calls rest. */
  async call<Value>(make: () => Promise<Value>): Promise<Value> {
    if (this.#timers.wall() < this.#until) throw new Error('Calls rest after several failures.');
    try {
      const value = await make();
      this.#failures = 0;
      return value;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= mostFailures) this.#until = this.#timers.wall() + restMs;
      throw error;
    }
  }
}
