import { inOrder, type Work } from './in-order.ts';
import { type LinkedStage, StageQueue } from './stage-queue.ts';
import type { StreamItem } from './stream-item.ts';

/** The stages of a stream, in order. `emit` receives what the last one releases. */
export class StageChain {
  readonly #queues: readonly StageQueue[];
  readonly #emit: (item: StreamItem) => void;
  readonly #enter = (item: StreamItem): Work => this.#give(0, item);
  #hasEnded = false;

  constructor(stages: readonly LinkedStage[], emit: (item: StreamItem) => void) {
    this.#emit = emit;
    this.#queues = stages.map((stage, at) => new StageQueue(stage, (item) => this.#give(at + 1, item)));
  }

  get heldSize(): number {
    return this.#queues.reduce((sum, { heldSize }) => sum + heldSize, 0);
  }

  push(items: readonly StreamItem[]): Work {
    return inOrder(items, this.#enter);
  }

  /** The first call ends the stages, one after the other. */
  end(): Work {
    if (this.#hasEnded) return undefined;
    this.#hasEnded = true;
    return inOrder(this.#queues, (queue) => queue.end());
  }

  #give(at: number, item: StreamItem): Work {
    const queue = this.#queues[at];
    if (queue !== undefined) return queue.push(item);
    this.#emit(item);
    return undefined;
  }
}
