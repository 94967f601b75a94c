import type { AskedDecision, DecisionBatches } from './decision-batches.ts';
import type { Decision } from './decision-texts.ts';

export interface UnsentOptions {
  readonly batches: DecisionBatches;
  /** The most that wait or are on their way; more are lost. */
  readonly most: number;
  readonly say: (text: string) => void;
}

/**
 * Settlements and releases, which must reach Redis, however late: they are sent, and again until Redis has made them. Made twice,
 * they have the effect of one.
 */
export interface Unsent {
  send(decision: Decision): void;
  /** Sends what waits once more. Resolves when all are answered, or have failed again. */
  retry(): Promise<void>;
  readonly waiting: number;
}

/** Decisions that are sent again at once, so that a Redis which has just started is not buried. */
const batchSize = 256;

export const createUnsent = ({ batches, most, say }: UnsentOptions): Unsent => {
  let waiting: Decision[] = [];
  let running = 0;
  let lost = 0;

  class Sent implements AskedDecision {
    readonly isUrgent = false;
    readonly decision: Decision;

    constructor(decision: Decision) {
      this.decision = decision;
    }

    answered(text: string): void {
      this.#ended(text === 'done');
    }

    failed(): void {
      this.#ended(false);
    }

    #ended(isDone: boolean): void {
      running -= 1;
      if (!isDone) waiting.push(this.decision);
    }
  }

  const start = (decision: Decision): void => {
    running += 1;
    batches.ask(new Sent(decision));
  };

  const logLost = (): void => {
    if (lost > 0)
      say(`gw: ${lost} settlements did not reach the Redis of the limits, and are charged as they were reserved.\n`);
    lost = 0;
  };

  return {
    send(decision) {
      if (waiting.length + running < most) start(decision);
      else lost += 1;
    },
    async retry() {
      const before = waiting;
      waiting = [];
      for (let at = 0; at < before.length; at += batchSize) {
        const failed = waiting.length;
        for (const decision of before.slice(at, at + batchSize)) start(decision);
        await batches.settled();
        if (waiting.length > failed) {
          // What has failed is the last to be sent again, so that it holds up nothing else.
          waiting = [...before.slice(at + batchSize), ...waiting];
          return;
        }
      }
      logLost();
    },
    get waiting() {
      return waiting.length;
    },
  };
};
