import type { Step } from '../../../plugins/sdk/hooks/hooks.ts';
import { givenEvents, type HeldEvent, isReady } from './held-event.ts';

const hold: Step = { do: 'hold' };

/** The events that a stage holds, in their order: they go on in that order, as far as all before them may. */
export class HeldEvents {
  readonly #events: HeldEvent[] = [];
  readonly #isDropped: (held: HeldEvent) => boolean;

  /** `isDropped` says which events are left out. */
  constructor(isDropped: (held: HeldEvent) => boolean) {
    this.#isDropped = isDropped;
  }

  push(held: HeldEvent): void {
    this.#events.push(held);
  }

  /** Nothing waits any more. */
  openAll(): void {
    for (const held of this.#events) held.waits = false;
  }

  /** Lets go of the events at the beginning that may go on. */
  step(): Step {
    let count = 0;
    let isAsItCame = true;
    for (const held of this.#events) {
      if (!isReady(held)) break;
      count += 1;
      isAsItCame &&= !held.isChanged && held.instead === undefined && !this.#isDropped(held);
    }
    if (count === 0) return hold;
    const ready = this.#events.splice(0, count);
    const keep = this.#events.length;
    if (isAsItCame) return { do: 'release', keep };
    const events = ready.flatMap((held) => (this.#isDropped(held) ? [] : givenEvents(held)));
    return { do: 'replace', events, keep };
  }
}
