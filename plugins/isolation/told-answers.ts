import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../schema/json.ts';
import type { Timers } from '../sdk/in-process.ts';
import type { ToldParameters } from './protocol.ts';

const mostAnswers = 1000;
const mostAsked = 100;
const longestMs = 2000;

/** Asks the process of a plugin. */
export type AskAbout = (check: string, parameters: JsonObject) => Promise<ToldParameters>;

/**
 * What checks say of their parameters. The compiler asks and must be answered at once, so that the first question about
 * parameters is answered with nothing, and asked of the process; when that has answered, the compiler asks again.
 */
export class ToldAnswers {
  readonly #timers: Timers;
  readonly #answers = new LRUCache<string, ToldParameters>({ max: mostAnswers });
  readonly #asked = new Map<string, Promise<void>>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get(check: string, parameters: JsonObject, ask: AskAbout): ToldParameters {
    const key = `${check} ${JSON.stringify(parameters)}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    if (!this.#asked.has(key) && this.#asked.size < mostAsked) {
      const asked = this.#inTime(check, ask(check, parameters)).then((told) => {
        this.#answers.set(key, told);
        this.#asked.delete(key);
      });
      this.#asked.set(key, asked);
    }
    return { faults: [] };
  }

  /** Waits for what was asked; false if nothing was. */
  async settle(): Promise<boolean> {
    if (this.#asked.size === 0) return false;
    await Promise.all(this.#asked.values());
    return true;
  }

  /** Forgets everything, since another version may say something else. */
  clear(): void {
    this.#answers.clear();
    this.#asked.clear();
  }

  #inTime(check: string, told: Promise<ToldParameters>): Promise<ToldParameters> {
    const late = `The check "${check}" did not say within ${longestMs / 1000} seconds whether it accepts the parameters.`;
    return new Promise((settle) => {
      const stop = this.#timers.after(longestMs, () => settle({ faults: [late] }));
      void told.then(settle).finally(stop);
    });
  }
}
