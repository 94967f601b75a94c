import type { Clock } from '../../../../sdk/clock.ts';
import type { Decision } from './decision-texts.ts';
import type { RedisAvailability } from './redis-availability.ts';
import type { ScriptRunner } from './script-runner.ts';
import { sentDecisions } from './sent-decisions.ts';

/** A decision, and who waits for it: one of the two is called, once, and neither may throw. */
export interface AskedDecision {
  readonly decision: Decision;
  /** A request waits for it. Others may be gathered for some milliseconds, and their answers take longer. */
  readonly isUrgent: boolean;
  /** Takes the answer, which is `lost` where the counters are not complete, and the epoch. */
  answered(text: string, epoch: string): void;
  failed(error: unknown): void;
}

export interface DecisionBatchesOptions {
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
export interface DecisionBatches {
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
