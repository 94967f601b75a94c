import type { BlockEvent } from './block-event.ts';

/**
 * Events of blocks that wait until another block is complete, grouped by block, in the order in which the blocks began to wait.
 */
export class WaitingEvents {
  readonly #blocks = new Map<number, BlockEvent[]>();

  /** Whether events of a block are waiting. */
  has(block: number): boolean {
    return this.#blocks.has(block);
  }

  add(event: BlockEvent): void {
    const known = this.#blocks.get(event.block);
    if (known === undefined) this.#blocks.set(event.block, [event]);
    else known.push(event);
  }

  /** Takes the events of the block that has waited longest. Returns undefined if none is waiting. */
  take(): readonly BlockEvent[] | undefined {
    for (const [block, events] of this.#blocks) {
      this.#blocks.delete(block);
      return events;
    }
    return undefined;
  }

  /** Takes all events. */
  takeAll(): readonly BlockEvent[] {
    const all = [...this.#blocks.values()].flat();
    this.#blocks.clear();
    return all;
  }
}
