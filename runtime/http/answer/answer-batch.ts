import type { ServerAnswer } from '../exchange/connection.ts';

/** How many answers wait for each other at most. */
const largestBatch = 16;

const sendTo = (to: ServerAnswer, bytes: Uint8Array): void => {
  if (to.destroyed) return;
  try {
    to.end(bytes);
  } catch {
    // A bug, when no error can be sent any more: the others are sent all the same.
    to.destroy();
  }
};

/**
 * Sends the answers that are complete in one turn of the event loop one directly after the other, at its end. A process
 * on the same machine that reads several of them is woken once and not for each, which takes longer than writing.
 */
export class AnswerBatch {
  #waiting: (readonly [to: ServerAnswer, bytes: Uint8Array])[] = [];
  #isDue = false;

  /** Ends an answer with these bytes, in this turn of the event loop. Head and body are sent in one write. */
  end(to: ServerAnswer, bytes: Uint8Array): void {
    this.#waiting.push([to, bytes]);
    if (this.#waiting.length >= largestBatch) this.#send();
    else if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(this.#sendDue);
    }
  }

  readonly #sendDue = (): void => {
    this.#isDue = false;
    this.#send();
  };

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [to, bytes] of waiting) sendTo(to, bytes);
  }
}
