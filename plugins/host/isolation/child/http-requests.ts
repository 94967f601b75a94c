import type { CheckAnswer, CheckHttp } from '../../../sdk/guardrail/guardrail.ts';
import type { ChildMessage, PlainAnswer } from '../protocol/protocol.ts';

interface Waiting {
  /** Notifies the gateway that the check of its call continues. */
  readonly reportProgress: () => void;
  readonly settle: (answer: CheckAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** The requests that the gateway is sending for this process. */
export class HttpRequests {
  readonly #send: (message: ChildMessage) => void;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(send: (message: ChildMessage) => void) {
    this.#send = send;
  }

  /** Creates the HTTP client of one call. The gateway aborts a request when its call is cancelled. */
  of(call: number, reportProgress: () => void): CheckHttp {
    return {
      send: ({ cancellation: _, tenant: __, ...request }) =>
        new Promise((settle, reject) => {
          this.#last += 1;
          this.#waiting.set(this.#last, { reportProgress, settle, reject });
          this.#send({ kind: 'http', id: this.#last, call, request });
        }),
    };
  }

  answer(id: number, { bytes, ...answer }: PlainAnswer): void {
    this.#take(id, ({ settle }) =>
      settle({ ...answer, ...(bytes === undefined ? {} : { bytes: Buffer.from(bytes, 'base64') }) }),
    );
  }

  fail(id: number, message: string): void {
    this.#take(id, ({ reject }) => reject(new Error(message)));
  }

  /**
   * Ends a request. The check runs until it waits again before another check continues, so that the gateway knows which one is
   * running.
   */
  #take(id: number, end: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting === undefined) return;
    setImmediate(() => {
      waiting.reportProgress();
      end(waiting);
    });
  }
}
