import { randomUUID } from 'node:crypto';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { CountersAvailability } from '../counters-availability.ts';
import type { ResendQueue } from '../decision-batches.ts';
import type { CounterSum } from '../limits.ts';
import type { ScriptRunner } from './script-runner.ts';

interface CounterUpkeepOptions {
  readonly clock: Clock;
  readonly runner: ScriptRunner;
  readonly availability: CountersAvailability;
  readonly unsent: ResendQueue;
  /** Reads the sums of the ledger. */
  readonly sums: () => Promise<readonly CounterSum[]>;
  /** Posts lines of the stream to the ledger. Resolves with how many of them cannot be read. */
  readonly post: (lines: string) => Promise<number>;
  readonly say: (text: string) => void;
  /** How long one process exclusively builds the counters or holds the postings, in milliseconds. */
  readonly leaseMs: number;
}

/** How many postings the ledger receives at once. */
const batchSize = 1000;

/** The number of full batches after which a round ends, so that its other work is not delayed under load. */
const maxBatches = 10;

/** The milliseconds between two rounds of work outside of decisions. */
const roundMs = 250;

/** The same after a round that has posted something. With shorter pauses, fewer postings block this thread at a time. */
const postingRoundMs = 100;

/** How many times a process that ends checks for remaining postings, because a failing ledger does not accept them. */
const maxEnds = 3;

/** How long opening waits for a Redis that does not answer, in milliseconds. */
const startMs = 1000;

/** How many sums one script sets. */
const sumsAtOnce = 500;

const countLines = (text: string): number => text.split('\n').length;

const toSumTexts = ({ policy, bucket, reset, window, used }: CounterSum): readonly string[] => [
  ...[policy, bucket],
  // The kind of the reset, its days, and the moment from which they are counted.
  ...(reset.every === 'days' ? [reset.every, String(reset.days), String(reset.from)] : [reset.every, '', '']),
  ...[String(window), String(used)],
];

/**
 * Does the work outside of decisions, a few times a second: resends what did not reach Redis, moves postings from the stream to
 * the ledger, and rebuilds the counters from the ledger if Redis has lost them. Only one process at a time does each of the last
 * two, under a lease that expires if the process ends.
 */
export class CounterUpkeep {
  readonly #options: CounterUpkeepOptions;
  /** The token of this process, and how long it holds a lease. */
  readonly #lease: readonly [string, string];
  #isFailing = false;
  #hasPosted = false;
  /** Whether Redis had the counters in an earlier round. */
  #wasComplete = false;
  #isStopped = false;
  #stopTimer = (): void => {};
  #running: Promise<void> = Promise.resolve();

  constructor(options: CounterUpkeepOptions) {
    this.#options = options;
    this.#lease = [randomUUID(), String(options.leaseMs)];
  }

  /**
   * Starts the rounds, and waits briefly until one has succeeded. The first connection takes a moment, which is not reported as a
   * failure.
   */
  async start(connect: () => Promise<unknown>): Promise<void> {
    const { clock, availability } = this.#options;
    const until = clock.monotonic() + startMs;
    let failure: unknown;
    const failed = (error: unknown): boolean => {
      failure = error;
      return false;
    };
    while (
      !(await connect()
        .then(() => this.#round())
        .catch(failed))
    ) {
      if (clock.monotonic() > until) {
        if (failure !== undefined) availability.failed(failure);
        break;
      }
      await new Promise<void>((resolve) => void clock.after(roundMs / 10, resolve));
    }
    this.#rest();
  }

  /** Stops the rounds. Resolves when the last one has ended. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    return this.#running;
  }

  /** Posts what is left. If another process ends at the same time, it leaves its postings to the one that holds the lease. */
  async end(): Promise<void> {
    for (let times = 0; times < maxEnds; times += 1) {
      await this.#round(true);
      if (await this.#release()) return;
    }
  }

  /** Resolves with whether the counters were complete. */
  async #round(isLast = false): Promise<boolean> {
    const { unsent, availability } = this.#options;
    const isSent = unsent.waiting === 0 || (await unsent.retry());
    const isComplete = await this.#drain(isLast);
    if (!isComplete) await this.#build();
    this.#wasComplete ||= isComplete;
    if (isSent) availability.upkeepSucceeded();
    return isComplete;
  }

  #rest(): void {
    const { clock, availability } = this.#options;
    if (this.#isStopped) return;
    this.#stopTimer = clock.after(this.#hasPosted ? postingRoundMs : roundMs, () => {
      this.#running = this.#round()
        .catch((error: unknown) => availability.upkeepFailed(error))
        .then(() => this.#rest());
    });
  }

  /** Sets the counters in a Redis that has none, or has lost them. No decision is made until this is done. */
  async #build(): Promise<void> {
    if (!(await this.#claim())) return;
    const all = await this.#sumsUnderLease();
    const epoch = randomUUID();
    for (let at = 0; at === 0 || at < all.length; at += sumsAtOnce) {
      const isLast = at + sumsAtOnce >= all.length;
      const texts = all.slice(at, at + sumsAtOnce).flatMap(toSumTexts);
      const [answer] = await this.#options.runner.run('build', [...this.#lease, isLast ? epoch : '', ...texts]);
      if (answer !== 'done') return;
    }
    if (this.#wasComplete)
      this.#options.say(
        'gw: The Redis of the limits has lost its counters. They were read from the ledger again, without what it had not received yet.\n',
      );
  }

  /**
   * Posts what is in the stream, unless another process holds it, up to the maximum of a round. Resolves with whether the
   * counters are complete.
   */
  async #drain(isLast: boolean): Promise<boolean> {
    const { runner, say } = this.#options;
    this.#hasPosted = false;
    let taken = '';
    let wanted = batchSize;
    for (let batches = 1; ; batches += 1) {
      const [state, lost, last = '', lines = ''] = await runner.run('drain', [...this.#lease, taken, String(wanted)]);
      if (lost !== '0') say(`gw: ${lost} postings are lost, because no more could wait in Redis for the ledger.\n`);
      const isComplete = state === 'complete';
      if (last === '') return isComplete;
      if (!(await this.#post(lines))) return isComplete;
      taken = last;
      this.#hasPosted = true;
      // What has arrived in the meantime is left for the next round, if there is one, so that the ledger gets few large batches.
      if ((countLines(lines) < batchSize && !isLast) || batches === maxBatches) wanted = 0;
    }
  }

  /** Releases the lease. Resolves with whether the stream is empty. */
  async #release(): Promise<boolean> {
    return (await this.#options.runner.run('drain', [this.#lease[0], '0', '', '0']))[2] === '0';
  }

  async #post(lines: string): Promise<boolean> {
    const { post, say } = this.#options;
    try {
      const unreadable = await post(lines);
      if (unreadable > 0) say(`gw: ${unreadable} postings in Redis cannot be read, and are skipped.\n`);
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing) say(`gw: The ledger does not accept postings, which wait in Redis: ${errorText(error)}\n`);
      this.#isFailing = true;
      // Another process may be able to reach the ledger.
      await this.#release();
      return false;
    }
  }

  async #claim(): Promise<boolean> {
    return (await this.#options.runner.run('claimBuild', this.#lease))[0] === 'yours';
  }

  /** Reads the sums of the ledger, and renews the lease meanwhile. */
  async #sumsUnderLease(): Promise<readonly CounterSum[]> {
    const { clock, leaseMs, sums } = this.#options;
    let stop = (): void => {};
    let isOver = false;
    const renew = (): void => {
      stop = clock.after(leaseMs / 3, () => {
        this.#claim().then(
          (isOurs) => (isOurs && !isOver ? renew() : undefined),
          () => {},
        );
      });
    };
    renew();
    try {
      return await sums();
    } finally {
      isOver = true;
      stop();
    }
  }
}
