import type { Timers } from '../../../sdk/http/in-process.ts';
import type { DescribedParameters } from './protocol.ts';

/** How long a check may take to say something of its parameters, in milliseconds. */
const longestMs = 2000;

interface Asked {
  readonly check: string;
  readonly settle: (answered: DescribedParameters | undefined) => void;
  /** Set when the process begins to answer. */
  stop?: () => void;
}

export interface QuestionsOptions {
  readonly timers: Timers;
  /** The process has begun to answer, and does not come to an end. */
  readonly stuck: (check: string, why: string) => void;
}

/** The questions to one process about parameters, by number. It answers one question at a time. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #asked = new Map<number, Asked>();
  #last = 0;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** The check that is answering now. */
  get current(): string | undefined {
    return [...this.#asked.values()].find(({ stop }) => stop !== undefined)?.check;
  }

  /** A new question: its number, and its answer, which is `undefined` where the process ends before it comes to it. */
  begin(check: string): { readonly id: number; readonly answered: Promise<DescribedParameters | undefined> } {
    this.#last += 1;
    const { promise: answered, resolve: settle } = Promise.withResolvers<DescribedParameters | undefined>();
    this.#asked.set(this.#last, { check, settle });
    return { id: this.#last, answered };
  }

  /** The process begins to answer. */
  started(id: number): void {
    const asked = this.#asked.get(id);
    if (asked === undefined || asked.stop !== undefined) return;
    const why = `it did not say within ${longestMs / 1000} seconds whether it accepts its parameters`;
    asked.stop = this.#options.timers.after(longestMs, () => this.#options.stuck(asked.check, why));
  }

  answer(id: number, answered: DescribedParameters): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.stop?.();
    asked?.settle(answered);
  }

  /** The process has ended: what it was answering is an error of those parameters. */
  endAll(why: string): void {
    for (const { check, settle, stop } of this.#asked.values()) {
      stop?.();
      settle(
        stop === undefined ? undefined : { faults: [`The check "${check}" ended its process with them: ${why}.`] },
      );
    }
    this.#asked.clear();
  }
}
