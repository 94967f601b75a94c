import { takeRecent } from './recent-texts.ts';

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

/** Whether all that serve have come to a state for which the text was not printed last; from then on it was. */
const takeDue = (known: Known, state: string, serving: readonly number[]): boolean => {
  const { reached, behind, printed } = known;
  const isReached = serving.every(
    (worker) => (reached.get(worker) ?? (behind.has(worker) ? undefined : state)) === state,
  );
  if (printed === state || !isReached) return false;
  known.printed = state;
  return true;
};

/** Texts that are printed once when all workers have come to the same state: what they say then holds for each request. */
export class PrintedByAll {
  readonly #texts = new Map<string, Known>();

  /** Whether the text is to be printed now, which a worker asks for. */
  isDue(worker: number, { text, state }: StateText, serving: readonly number[]): boolean {
    const known = takeRecent<Known>(this.#texts, text, () => ({
      reached: new Map(),
      behind: new Set(serving),
      printed: undefined,
    }));
    known.behind.delete(worker);
    known.reached.set(worker, state);
    return takeDue(known, state, serving);
  }

  /** A worker has ended. Lists the texts that no other has to ask for any more. */
  forget(worker: number, serving: readonly number[]): readonly string[] {
    return [...this.#texts].flatMap(([text, known]) => {
      known.reached.delete(worker);
      known.behind.delete(worker);
      const [state] = known.reached.values();
      return state !== undefined && takeDue(known, state, serving) ? [text] : [];
    });
  }
}
