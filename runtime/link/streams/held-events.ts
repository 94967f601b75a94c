import type { Step } from '../../../plugins/sdk/hooks.ts';
import { givenEvents, type HeldEvent, isReady } from './held-event.ts';

/** The events that a stage holds, in their order: they go on in that order, as far as all before them may. */
export class HeldEvents {
  #events: HeldEvent[] = [];

  push(held: HeldEvent): void {
    this.#events.push(held);
  }

  /** Nothing waits any more. */
  openAll(): void {
    for (const held of this.#events) held.waits = false;
  }

  /** Lets go of the events at the beginning that may go on. `isDropped` says which of those are left out. */
  step(isDropped: (held: HeldEvent) => boolean = () => false): Step {
    const waiting = this.#events.findIndex((held) => !isReady(held));
    const count = waiting === -1 ? this.#events.length : waiting;
    if (count === 0) return { do: 'hold' };
    const ready = this.#events.slice(0, count);
    this.#events = this.#events.slice(count);
    const keep = this.#events.length;
    const isAsItCame = ready.every((held) => !held.isChanged && held.instead === undefined && !isDropped(held));
    if (isAsItCame) return { do: 'release', keep };
    const events = ready.flatMap((held) => (isDropped(held) ? [] : givenEvents(held)));
    return { do: 'replace', events, keep };
  }
}
