import type { Clock } from '../../../../sdk/clock.ts';
import { type Decision, sentDecisions } from './decision-texts.ts';
import type { RedisAvailability } from './redis-availability.ts';
import type { ScriptRunner } from './script-runner.ts';

/** A decision, and who waits for it: one of the two is called, once, and neither may throw. */
interface AskedDecision {
  readonly decision: Decision;
  /** A request waits for it. Others may be gathered for some milliseconds, and their answers take longer. */
  readonly isUrgent: boolean;
  /** Takes the answer, which is `lost` where the counters are not complete, and the epoch. */
  answered(text: string, epoch: string): void;
  failed(error: unknown): void;
}

interface DecisionBatchesOptions {
  readonly clock: Clock;
  readonly runner: ScriptRunner;
  readonly availability: Pick<RedisAvailability, 'succeeded' | 'failed'>;
  /** Milliseconds that urgent decisions wait for Redis. */
  readonly commandMs: number;
}

/**
 * Decisions on their way to Redis: those that are asked for in one turn of the event loop go together, in their order. Redis makes
 * them one after another.
 */
interface DecisionBatches {
  ask(decision: AskedDecision): void;
  /** Sends what waits. Resolves when all that is on its way is answered, or has failed. */
  settled(): Promise<void>;
}

/** What is not urgent is gathered for so many milliseconds. */
const gatherMs = 5;

/** The bounds of one script, so that Redis does nothing else for a moment only. */
const maxDecisions = 64;
const maxChars = 256 * 1024;

const measureSize = ({ head, charges, entry = '' }: Decision): number => {
  let size = entry.length;
  for (const part of head) size += typeof part === 'string' ? part.length : 0;
  for (const { bucket } of charges) size += bucket.length;
  return size;
};

/** Decisions in their order, as many together as one script may have, and at least one. */
const inBatches = (decisions: readonly AskedDecision[]): readonly (readonly AskedDecision[])[] => {
  const batches: AskedDecision[][] = [];
  let batch: AskedDecision[] = [];
  let size = 0;
  for (const each of decisions) {
    const added = measureSize(each.decision);
    size += added;
    if (batch.length === 0 || batch.length === maxDecisions || size > maxChars) {
      batch = [];
      batches.push(batch);
      size = added;
    }
    batch.push(each);
  }
  return batches;
};

export const decisionBatches = (options: DecisionBatchesOptions): DecisionBatches => {
  const { clock, runner, availability, commandMs } = options;
  const onTheirWay: Promise<void>[] = [];
  let waiting: AskedDecision[] = [];
  let isDue = false;
  let isGathering = false;

  const run = async (batch: readonly AskedDecision[]): Promise<void> => {
    /** Who still waits, in the order of the batch. */
    let waits: readonly (AskedDecision | undefined)[] = batch;
    const fail = (some: readonly (AskedDecision | undefined)[], error: unknown): void => {
      const failing = some.filter((each) => each !== undefined);
      if (failing.length > 0) availability.failed(error);
      for (const each of failing) each.failed(error);
    };
    const giveUp = (): void => {
      waits = batch.map((each) => (each.isUrgent ? undefined : each));
      const urgent = batch.filter(({ isUrgent }) => isUrgent);
      fail(urgent, new Error(`There was no result within ${commandMs} ms.`));
    };
    const hasUrgent = batch.some(({ isUrgent }) => isUrgent);
    const stop = hasUrgent ? clock.after(commandMs, giveUp) : () => {};
    try {
      const [kind, epoch = '', text = ''] = await runner.run(
        'decide',
        sentDecisions(batch.map(({ decision }) => decision)),
      );
      stop();
      const answers = text.split('\n');
      if (hasUrgent && waits === batch) availability.succeeded();
      for (const [index, each] of waits.entries())
        each?.answered(kind === 'decided' ? (answers[index] ?? '') : 'lost', epoch);
    } catch (error) {
      stop();
      fail(waits, error);
    }
  };

  const send = (): void => {
    isDue = false;
    const decisions = waiting;
    waiting = [];
    for (const batch of inBatches(decisions)) {
      const running = run(batch).then(() => void onTheirWay.splice(onTheirWay.indexOf(running), 1));
      onTheirWay.push(running);
    }
  };

  const gathered = (): void => {
    isGathering = false;
    send();
  };

  return {
    ask(decision) {
      waiting.push(decision);
      if (decision.isUrgent) {
        if (!isDue) setImmediate(send);
        isDue = true;
      } else if (!isDue && !isGathering) {
        isGathering = true;
        clock.after(gatherMs, gathered);
      }
    },
    async settled() {
      send();
      await Promise.all(onTheirWay);
    },
  };
};

interface UnsentOptions {
  readonly batches: DecisionBatches;
  /** The most that wait or are on their way; more are lost. */
  readonly most: number;
  readonly say: (text: string) => void;
}

/**
 * Settlements and releases, which must reach Redis, however late: they are sent, and again until Redis has made them. Made twice,
 * they have the effect of one.
 */
interface Unsent {
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
