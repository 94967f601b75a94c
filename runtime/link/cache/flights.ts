import type { CacheEntry } from '../../../plugins/sdk/cache.ts';
import type { Cancellation } from '../../../plugins/sdk/http.ts';
import { CancellationSource } from '../../cancellation-source.ts';

/** An answer that a flight has for all who wait. */
export interface Landed {
  readonly entry: CacheEntry;
  readonly similar: boolean;
}

/**
 * One call whose answer several requests wait for. It is cancelled when all of them have left, the first one too, and
 * then nobody can join it any more.
 */
export class Flight {
  /** Cancelled when nobody waits. */
  readonly cancellation: CancellationSource = new CancellationSource();
  readonly landed: Promise<Landed | undefined>;
  readonly #land: (landed: Landed | undefined) => void;
  readonly #over: () => void;
  #aboard = 0;

  constructor(over: () => void) {
    const { promise, resolve } = Promise.withResolvers<Landed | undefined>();
    this.landed = promise;
    this.#land = resolve;
    this.#over = over;
  }

  /** One more waits, until its own cancellation or a call of the function that this returns. */
  board(own: Cancellation): () => void {
    this.#aboard += 1;
    let isAboard = true;
    const leave = (): void => {
      if (!isAboard) return;
      isAboard = false;
      stop();
      this.#aboard -= 1;
      if (this.#aboard > 0) return;
      this.#over();
      this.cancellation.cancel();
    };
    let stop = (): void => {};
    stop = own.onCancel(leave);
    return leave;
  }

  /** The call is over; undefined if it has no answer for others. Only the first call counts. */
  land(landed: Landed | undefined): void {
    this.#over();
    this.#land(landed);
  }
}

/** The flights of one cache, by the id of the key. There are at most as many as requests. */
export class Flights {
  readonly #flights = new Map<string, Flight>();

  get(id: string): Flight | undefined {
    return this.#flights.get(id);
  }

  /** Opens a flight, which others find until it has landed or nobody waits for it. */
  open(id: string): Flight {
    const flight: Flight = new Flight(() => {
      if (this.#flights.get(id) === flight) this.#flights.delete(id);
    });
    this.#flights.set(id, flight);
    return flight;
  }
}
