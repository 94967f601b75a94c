import type { Timers } from '../../../sdk/http/in-process.ts';
import type { DescribedParameters } from './protocol.ts';

/** How long a check may take to describe its parameters, in milliseconds. */
const longestMs = 2000;

interface Asked {
  readonly check: string;
  readonly settle: (answered: DescribedParameters | undefined) => void;
  /** Set when the process starts to answer. */
  stop?: () => void;
}

export interface QuestionsOptions {
  readonly timers: Timers;
  /** Called if the process has started to answer but does not finish. */
  readonly stuck: (check: string, why: string) => void;
}

/** The questions about parameters to one process, by number. It answers one question at a time. */
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

  /**
   * Adds a question and returns its number and its answer, which is `undefined` if the process ends before it reaches the
   * question.
   */
  begin(check: string): { readonly id: number; readonly answered: Promise<DescribedParameters | undefined> } {
    this.#last += 1;
    const { promise: answered, resolve: settle } = Promise.withResolvers<DescribedParameters | undefined>();
    this.#asked.set(this.#last, { check, settle });
    return { id: this.#last, answered };
  }

  /** Called when the process starts to answer. */
  started(id: number): void {
    const asked = this.#asked.get(id);
    if (asked === undefined || asked.stop !== undefined) return;
    const why = `it did not report within ${longestMs / 1000} seconds whether it accepts its parameters`;
    asked.stop = this.#options.timers.after(longestMs, () => this.#options.stuck(asked.check, why));
  }

  answer(id: number, answered: DescribedParameters): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.stop?.();
    asked?.settle(answered);
  }

  /** Called when the process has ended. The question that it was answering becomes an error of those parameters. */
  endAll(why: string): void {
    for (const { check, settle, stop } of this.#asked.values()) {
      stop?.();
      settle(
        stop === undefined
          ? undefined
          : { faults: [`The check "${check}" ended its process when it validated them: ${why}.`] },
      );
    }
    this.#asked.clear();
  }
}
