import type { Step } from '../../../plugins/sdk/hooks/hooks.ts';
import { type HeldEvent, isReady, releasedEvents } from './held-event.ts';

const hold: Step = { do: 'hold' };

/** The events that a stage holds. They are released in order: an event may go only if all before it may. */
export class HeldEvents {
  readonly #events: HeldEvent[] = [];
  readonly #isDropped: (held: HeldEvent) => boolean;

  /** `isDropped` decides which events are omitted. */
  constructor(isDropped: (held: HeldEvent) => boolean) {
    this.#isDropped = isDropped;
  }

  push(held: HeldEvent): void {
    this.#events.push(held);
  }

  /** Ends all waiting. */
  openAll(): void {
    for (const held of this.#events) {
      held.waits = false;
      held.isAwaiting = false;
    }
  }

  /** Releases the events at the beginning that are ready. */
  step(): Step {
    const count = this.#countReady();
    if (count === 0) return hold;
    const ready = this.#events.splice(0, count);
    const isAsItCame = ready.every((held) => !held.isChanged && held.instead === undefined && !this.#isDropped(held));
    const keep = this.#events.length;
    if (isAsItCame) return { do: 'release', keep };
    const events = ready.flatMap((held) => (this.#isDropped(held) ? [] : releasedEvents(held)));
    return { do: 'replace', events, keep };
  }

  /**
   * Counts the events that are ready. An event whose frame contains what later ones report is released together with those, or
   * not at all.
   */
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
