/** Different texts that are known. Of more, those are forgotten that were asked for first. */
const maxTexts = 1000;

/** A text that each worker asks to be printed once it has come to a state, such as the value of a secret. */
export interface StateText {
  readonly text: string;
  /** The same for all workers that have come to the same state. */
  readonly state: string;
}

interface Known {
  /** The last state that each worker has come to. */
  readonly reached: Map<number, string>;
  /** Those that served when the text was first asked for, and have not asked for it: later ones began with the state that holds. */
  readonly behind: Set<number>;
  printed: string | undefined;
}

/** Whether all that serve have come to a state. */
const isReached = ({ reached, behind }: Known, state: string, serving: readonly number[]): boolean =>
  serving.every((worker) => (reached.get(worker) ?? (behind.has(worker) ? undefined : state)) === state);

/** Texts that are printed once when all workers have come to the same state: what they say then holds for each request. */
export class PrintedByAll {
  readonly #texts = new Map<string, Known>();

  /** Whether the text is to be printed now, which a worker asks for. */
  isDue(worker: number, { text, state }: StateText, serving: readonly number[]): boolean {
    const known = this.#find(text, serving);
    known.behind.delete(worker);
    known.reached.set(worker, state);
    if (known.printed === state || !isReached(known, state, serving)) return false;
    known.printed = state;
    return true;
  }

  /** A worker has ended. Lists the texts that no other has to ask for any more. */
  forget(worker: number, serving: readonly number[]): readonly string[] {
    const due: string[] = [];
    for (const [text, known] of this.#texts) {
      known.reached.delete(worker);
      known.behind.delete(worker);
      const [state] = known.reached.values();
      if (state === undefined || known.printed === state || !isReached(known, state, serving)) continue;
      known.printed = state;
      due.push(text);
    }
    return due;
  }

  #find(text: string, serving: readonly number[]): Known {
    const known = this.#texts.get(text) ?? { reached: new Map(), behind: new Set(serving), printed: undefined };
    this.#texts.delete(text);
    this.#texts.set(text, known);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > maxTexts && oldest !== undefined) this.#texts.delete(oldest);
    return known;
  }
}
