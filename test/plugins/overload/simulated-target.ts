import type { PlaceRequest } from '../../../plugins/sdk/overload/overload.ts';
import type { VirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { sampleExchange, toTenant } from '../../support/in-process/sample-exchange.ts';

/** A request for a place, from a client that stays connected. */
export const placeRequest = (given: Partial<PlaceRequest> = {}): PlaceRequest => ({
  account: 'https://target.example key',
  target: 'target',
  path: rootPointer,
  attempt: 1,
  exchange: sampleExchange({}, { principal: { tenant: toTenant('') } }),
  bytes: 100,
  maxWaitMs: 60_000,
  cancellation: { cancelled: false, onCancel: () => () => {} },
  isCircuitOpen: () => false,
  ...given,
});

/** A server that processes `capacity` requests at once, each for `serviceMs`, and queues the others. */
export class SimulatedServer {
  capacity: number;
  serviceMs: number;
  readonly #clock: VirtualClock;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(clock: VirtualClock, capacity: number, serviceMs: number) {
    this.#clock = clock;
    this.capacity = capacity;
    this.serviceMs = serviceMs;
  }

  serve(done: () => void): void {
    this.#waiting.push(done);
    this.#begin();
  }

  #begin(): void {
    while (this.#working < this.capacity) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#working += 1;
      this.#clock.after(this.serviceMs, () => {
        this.#working -= 1;
        next();
        this.#begin();
      });
    }
  }
}
