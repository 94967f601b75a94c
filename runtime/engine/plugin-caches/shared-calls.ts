import type { CacheEntry } from '../../../plugins/sdk/cache/cache.ts';
import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';

/** An answer that a request may receive instead of one of its own. */
export interface StoredAnswer {
  readonly entry: CacheEntry;
  /** Whether it is the answer of a request that asks the same in other words. */
  readonly similar: boolean;
  /** How similar the two requests are, if they were compared. */
  readonly similarity?: number | undefined;
}

/**
 * One call whose answer several requests wait for. It is cancelled once all of them, including the first, have left. After that
 * nobody can join it any more.
 */
export class SharedCall {
  /** Cancelled when nobody waits. */
  readonly cancellation: CancellationSource = new CancellationSource();
  readonly answer: Promise<StoredAnswer | undefined>;
  readonly #resolve: (answer: StoredAnswer | undefined) => void;
  readonly #onOver: () => void;
  #waiting = 0;

  constructor(onOver: () => void) {
    const { promise, resolve } = Promise.withResolvers<StoredAnswer | undefined>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#onOver = onOver;
  }

  /** Adds a waiting request, until its own cancellation or a call of the returned function. */
  join(own: Cancellation): () => void {
    this.#waiting += 1;
    let isWaiting = true;
    const leave = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      stop();
      this.#waiting -= 1;
      if (this.#waiting > 0) return;
      this.#onOver();
      this.cancellation.cancel(own.cause);
    };
    let stop = (): void => {};
    stop = own.onCancel(leave);
    return leave;
  }

  /** Ends the call. `answer` is undefined if there is none for others. Only the first call of this method counts. */
  settle(answer: StoredAnswer | undefined): void {
    this.#onOver();
    this.#resolve(answer);
  }
}

/** The shared calls of one cache, by the id of the key. There are at most as many as requests. */
export class SharedCalls {
  readonly #calls = new Map<string, SharedCall>();

  get(id: string): SharedCall | undefined {
    return this.#calls.get(id);
  }

  /** Opens a call. Others find it until it has settled or nobody waits for it. */
  open(id: string): SharedCall {
    const call: SharedCall = new SharedCall(() => {
      if (this.#calls.get(id) === call) this.#calls.delete(id);
    });
    this.#calls.set(id, call);
    return call;
  }
}
