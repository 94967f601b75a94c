import type { Clock } from '../../../sdk/clock.ts';
import type { CountersAvailability } from './counters-availability.ts';
import { type Decision, sentDecisions } from './decision-texts.ts';
import type { RemoteCounters } from './remote-counters.ts';

/** A decision and its callbacks. Exactly one of the two is called, once, and neither may throw. */
interface AskedDecision {
  readonly decision: Decision;
  /** Whether a request waits for it. Others may be gathered for some milliseconds, and their answers take longer. */
  readonly isUrgent: boolean;
  /** Receives the answer, which is `lost` if the counters are not complete, and the epoch. */
  answered(text: string, epoch: string): void;
  failed(error: unknown): void;
}

interface DecisionBatchesOptions {
  readonly clock: Clock;
  readonly runner: Pick<RemoteCounters, 'run'>;
  readonly availability: Pick<CountersAvailability, 'succeeded' | 'looked' | 'failed' | 'upkeepFailed'>;
  /** How long urgent decisions wait for an answer, in milliseconds. */
  readonly commandMs: number;
}

/** How long decisions that are not urgent are gathered, in milliseconds. */
const gatherMs = 5;

/** How long urgent decisions wait at most for the answer to a batch that was already sent, in milliseconds. */
const longestTurnMs = 2;

/** The limits of one batch, so that the process that makes the decisions is blocked only briefly. */
const maxDecisions = 64;
const maxChars = 256 * 1024;

const measureSize = ({ head, charges, entry }: Decision): number => {
  let size = entry === undefined ? 0 : entry.own.length + entry.shared.length;
  for (const part of head) size += typeof part === 'string' ? part.length : 0;
  for (const { bucket } of charges) size += bucket.length;
  return size;
};

const isReservation = ({ decision: { head } }: AskedDecision): boolean => head[0] === 'reserve';

/** Divides decisions into batches, in order. Each has as many as fit, and at least one. */
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

/**
 * Sends decisions in batches, in their order, to be made one after another. Decisions of one turn of the event loop are sent
 * together. While a batch is pending, the next one gathers until the answer arrives. So under load, batches become larger and
 * each decision becomes cheaper.
 */
export class DecisionBatches {
  readonly #options: DecisionBatchesOptions;
  readonly #onTheirWay: Promise<void>[] = [];
  #waiting: AskedDecision[] = [];
  /** Whether an urgent decision is waiting. */
  #isDue = false;
  #isGathering = false;
  #stopTurn = (): void => {};
  readonly #sendDue = (): void => {
    if (this.#isDue) this.#send();
  };
  readonly #sendGathered = (): void => {
    this.#isGathering = false;
    this.#send();
  };

  constructor(options: DecisionBatchesOptions) {
    this.#options = options;
  }

  ask(decision: AskedDecision): void {
    const { clock } = this.#options;
    this.#waiting.push(decision);
    if (decision.isUrgent) {
      if (this.#isDue) return;
      this.#isDue = true;
      if (this.#onTheirWay.length === 0) setImmediate(this.#sendDue);
      else this.#stopTurn = clock.after(longestTurnMs, this.#sendDue);
    } else if (!this.#isDue && !this.#isGathering) {
      this.#isGathering = true;
      clock.after(gatherMs, this.#sendGathered);
    }
  }

  /** Sends what is waiting. Resolves when everything that was sent is answered, or has failed. */
  async settled(): Promise<void> {
    this.#send();
    await Promise.all(this.#onTheirWay);
  }

  #send(): void {
    this.#stopTurn();
    this.#isDue = false;
    const decisions = this.#waiting;
    this.#waiting = [];
    for (const batch of inBatches(decisions)) {
      const running = this.#run(batch).then(() => {
        this.#onTheirWay.splice(this.#onTheirWay.indexOf(running), 1);
        if (this.#isDue) setImmediate(this.#sendDue);
      });
      this.#onTheirWay.push(running);
    }
  }

  #fail(some: readonly (AskedDecision | undefined)[], error: unknown): void {
    const failing = some.filter((each) => each !== undefined);
    const { availability } = this.#options;
    if (failing.some(({ isUrgent }) => isUrgent)) availability.failed(error);
    else if (failing.length > 0) availability.upkeepFailed(error);
    for (const each of failing) each.failed(error);
  }

  async #run(batch: readonly AskedDecision[]): Promise<void> {
    const { clock, runner, availability, commandMs } = this.#options;
    /** The decisions that are still waiting, in the order of the batch. */
    let waits: readonly (AskedDecision | undefined)[] = batch;
    const giveUp = (): void => {
      waits = batch.map((each) => (each.isUrgent ? undefined : each));
      const urgent = batch.filter(({ isUrgent }) => isUrgent);
      this.#fail(urgent, new Error(`There was no result within ${commandMs} ms.`));
    };
    const hasUrgent = batch.some(({ isUrgent }) => isUrgent);
    const stop = hasUrgent ? clock.after(commandMs, giveUp) : () => {};
    try {
      const sent = sentDecisions(batch.map(({ decision }) => decision));
      const [kind, epoch = '', text = ''] = await runner.run('decide', sent);
      stop();
      const answers = text.split('\n');
      if (hasUrgent && waits === batch) {
        if (batch.some(isReservation)) availability.succeeded();
        else availability.looked();
      }
      for (const [index, each] of waits.entries())
        each?.answered(kind === 'decided' ? (answers[index] ?? '') : 'lost', epoch);
    } catch (error) {
      stop();
      this.#fail(waits, error);
    }
  }
}

export interface UnsentOptions {
  readonly batches: DecisionBatches;
  /** The maximum number that are waiting or pending. Further ones are lost. */
  readonly max: number;
  readonly say: (text: string) => void;
  /** The name, shown to people, of the process that makes the decisions. */
  readonly name: string;
}

/** How many decisions are resent at once, so that a process that has just started is not overloaded. */
const batchSize = 256;

const notReached = (count: number, name: string): string => {
  const [settlements, are, they, were] =
    count === 1 ? ['settlement', 'is', 'it', 'was'] : ['settlements', 'are', 'they', 'were'];
  return `gw: ${count} ${settlements} did not reach ${name} and ${are} charged as ${they} ${were} reserved, or not at all if nothing was reserved.\n`;
};

/** A pending decision, which reports when it has ended and whether it was made. */
class Sent implements AskedDecision {
  readonly isUrgent = false;
  readonly decision: Decision;
  readonly #ended: (decision: Decision, isDone: boolean) => void;

  constructor(decision: Decision, ended: (decision: Decision, isDone: boolean) => void) {
    this.decision = decision;
    this.#ended = ended;
  }

  answered(text: string): void {
    this.#ended(this.decision, text === 'done');
  }

  failed(): void {
    this.#ended(this.decision, false);
  }
}

/**
 * Sends settlements and releases, which must arrive eventually: resends them until they are made. Repeating one has no further
 * effect.
 */
export class ResendQueue {
  readonly #options: UnsentOptions;
  #waiting: Decision[] = [];
  #running = 0;
  #lost = 0;

  constructor(options: UnsentOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  send(decision: Decision): void {
    if (this.#waiting.length + this.#running < this.#options.max) this.#start(decision);
    else this.#lost += 1;
  }

  /** Resends what is waiting. Resolves when all are answered, or have failed again, with whether all of them were made. */
  async retry(): Promise<boolean> {
    const before = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < before.length; at += batchSize) {
      const failed = this.#waiting.length;
      for (const decision of before.slice(at, at + batchSize)) this.#start(decision);
      await this.#options.batches.settled();
      if (this.#waiting.length > failed) {
        // Failed decisions are resent last, so that they do not delay others.
        this.#waiting = [...before.slice(at + batchSize), ...this.#waiting];
        return false;
      }
    }
    if (this.#lost > 0) this.#options.say(notReached(this.#lost, this.#options.name));
    this.#lost = 0;
    return true;
  }

  /** Notifies the operator of what is left, which will not be sent any more. */
  giveUp(): void {
    const count = this.#waiting.length + this.#lost;
    if (count > 0) this.#options.say(notReached(count, this.#options.name));
  }

  #start(decision: Decision): void {
    this.#running += 1;
    this.#options.batches.ask(new Sent(decision, this.#ended));
  }

  readonly #ended = (decision: Decision, isDone: boolean): void => {
    this.#running -= 1;
    if (!isDone) this.#waiting.push(decision);
  };
}
