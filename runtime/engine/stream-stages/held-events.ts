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
    for (const held of this.#events) {
      held.waits = false;
      held.isAwaiting = false;
    }
  }

  /** Lets go of the events at the beginning that may go on. */
  step(): Step {
    const count = this.#countReady();
    if (count === 0) return hold;
    const ready = this.#events.splice(0, count);
    const isAsItCame = ready.every((held) => !held.isChanged && held.instead === undefined && !this.#isDropped(held));
    const keep = this.#events.length;
    if (isAsItCame) return { do: 'release', keep };
    const events = ready.flatMap((held) => (this.#isDropped(held) ? [] : givenEvents(held)));
    return { do: 'replace', events, keep };
  }

  /** Counts those that may go on. One whose frame says what later ones report goes on with them, or not at all. */
  #countReady(): number {
    let count = 0;
    let isAwaiting = false;
    for (const [at, held] of this.#events.entries()) {
      if (!isReady(held)) break;
      if (held.isAwaiting) isAwaiting = true;
      else if (held.endsWaiting) isAwaiting = false;
      if (!isAwaiting) count = at + 1;
    }
    return count;
  }
}
