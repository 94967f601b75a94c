import { takeRecent } from './recent-texts.ts';

/**
 * Texts that each worker prints by itself, such as those about a file that all of them read. A text that several workers print is
 * printed as often as by the worker that printed it most.
 */
export class OncePrinted {
  /** By text: how often it was printed, and how often each worker asked for it. */
  readonly #texts = new Map<string, { printed: number; readonly asked: Map<number, number> }>();

  /** Returns whether a text that a worker wants to print is to be printed. */
  isNew(worker: number, text: string): boolean {
    const known = takeRecent(this.#texts, text, () => ({ printed: 0, asked: new Map<number, number>() }));
    const asked = (known.asked.get(worker) ?? 0) + 1;
    known.asked.set(worker, asked);
    if (asked <= known.printed) return false;
    known.printed = asked;
    return true;
  }

  /** Called when a worker has ended. */
  forget(worker: number): void {
    for (const { asked } of this.#texts.values()) asked.delete(worker);
  }
}
