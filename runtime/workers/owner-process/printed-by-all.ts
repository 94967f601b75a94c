import { takeRecent } from './recent-texts.ts';

/** A text that each worker wants to print once it has reached a state, such as the value of a secret. */
export interface StateText {
  readonly text: string;
  /** The same for all workers that have reached the same state. */
  readonly state: string;
}

interface Known {
  /** The last state that each worker has reached. */
  readonly reached: Map<number, string>;
  /**
   * The workers that served when the text was first printed, and have not printed it. Later workers started with the current
   * state.
   */
  readonly behind: Set<number>;
  printed: string | undefined;
}

/** Whether all serving workers have reached a state other than the one last printed. If so, the state now counts as printed. */
const takeDue = (known: Known, state: string, serving: readonly number[]): boolean => {
  const { reached, behind, printed } = known;
  const isReached = serving.every(
    (worker) => (reached.get(worker) ?? (behind.has(worker) ? undefined : state)) === state,
  );
  if (printed === state || !isReached) return false;
  known.printed = state;
  return true;
};

/** Texts that are printed once when all workers have reached the same state. From then on, they are true of each request. */
export class PrintedByAll {
  readonly #texts = new Map<string, Known>();

  /** Returns whether a text that a worker wants to print is to be printed now. */
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

  /** Called when a worker has ended. Lists the texts that no other worker still has to print. */
  forget(worker: number, serving: readonly number[]): readonly string[] {
    return [...this.#texts].flatMap(([text, known]) => {
      known.reached.delete(worker);
      known.behind.delete(worker);
      const [state] = known.reached.values();
      return state !== undefined && takeDue(known, state, serving) ? [text] : [];
    });
  }
}
