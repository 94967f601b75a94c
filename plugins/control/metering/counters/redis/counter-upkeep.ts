import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import { isTexts } from '../../../../../schema/json/json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { Unit } from '../../../kernel/limits/limit-policy.ts';
import type { PostedCharge, Posting, Postings } from '../../ledger/posting.ts';
import type { CountersAvailability } from '../counters-availability.ts';
import type { Unsent } from '../decision-batches.ts';
import type { CounterSum } from '../limits.ts';
import type { ScriptRunner } from './script-runner.ts';

const isUnit = (text: unknown): text is Unit => text === 'requests' || text === 'tokens' || text === 'nanoUsd';

const toCharge = (value: unknown): PostedCharge | undefined => {
  if (!isTexts(value)) return undefined;
  const [policy, bucket, unit, amount, window] = value;
  if (policy === undefined || bucket === undefined || !isUnit(unit)) return undefined;
  return { policy, bucket, unit, amount: Number(amount), window: Number(window) };
};

/** The posting in a text of the stream: its id, what it corrects, its charges and its entry; undefined if it is none, whoever wrote it. */
const toPosting = <Entry>(
  text: string,
  readEntry: (value: unknown) => Entry | undefined,
): Posting<Entry> | undefined => {
  try {
    const listed: unknown = fromJson(text);
    if (!Array.isArray(listed) || listed.length < 3) return undefined;
    const [id, corrects, ...rest]: readonly unknown[] = listed;
    const entry = readEntry(rest.pop());
    if (typeof id !== 'string' || typeof corrects !== 'string' || entry === undefined) return undefined;
    const charges = rest.map(toCharge).filter((charge) => charge !== undefined);
    if (charges.length < rest.length) return undefined;
    return { id, charges, entry, ...(corrects === '' ? {} : { corrects }) };
  } catch {
    return undefined;
  }
};

/** Postings that are read in one turn of the event loop, so that no request waits for many of them. */
const readAtOnce = 32;

/** Reads the postings in texts, and leaves out what is none. */
const readPostings = async <Entry>(
  texts: readonly string[],
  readEntry: (value: unknown) => Entry | undefined,
): Promise<readonly Posting<Entry>[]> => {
  const postings: Posting<Entry>[] = [];
  for (const [index, text] of texts.entries()) {
    if (index % readAtOnce === readAtOnce - 1) await setImmediate();
    const posting = toPosting(text, readEntry);
    if (posting !== undefined) postings.push(posting);
  }
  return postings;
};

interface CounterUpkeepOptions<Entry> {
  readonly clock: Clock;
  readonly runner: ScriptRunner;
  readonly availability: CountersAvailability;
  readonly unsent: Unsent;
  /** Reads the sums of the ledger. */
  readonly sums: () => Promise<readonly CounterSum[]>;
  readonly postings: Postings<Entry>;
  readonly readEntry: (value: unknown) => Entry | undefined;
  readonly say: (text: string) => void;
  /** Milliseconds for which one process alone builds the counters, or has the postings. */
  readonly leaseMs: number;
}

/** Postings that the ledger gets at once. */
const batchSize = 1000;

/** Full batches after which a round ends, so that what else it does is not put off under load. */
const maxBatches = 10;

/** Milliseconds between two rounds of what is done beside decisions. */
const roundMs = 250;

/** The same after a round that has posted something: the sooner, the fewer postings keep this thread from its requests at a time. */
const postingRoundMs = 100;

/** How often a process that ends looks whether postings are left, which a ledger that fails does not take. */
const maxEnds = 3;

/** Milliseconds that opening waits for a Redis that does not answer. */
const startMs = 1000;

/** Sums that one script sets. */
const sumsAtOnce = 500;

const toSumTexts = ({ policy, bucket, reset, window, used }: CounterSum): readonly string[] => [
  ...[policy, bucket],
  // The kind of a reset, its days, and the moment from which they are counted.
  ...(reset.every === 'days' ? [reset.every, String(reset.days), String(reset.from)] : [reset.every, '', '']),
  ...[String(window), String(used)],
];

/**
 * Does what is done beside decisions, a few times a second: sends once more what did not reach Redis, brings postings from the
 * stream to the ledger, and builds counters from it where Redis has none. One process does either of the last two at a time; if
 * it ends, its lease does.
 */
export class CounterUpkeep<Entry> {
  readonly #options: CounterUpkeepOptions<Entry>;
  /** The token of this process, and how long it may have what it has taken. */
  readonly #lease: readonly [string, string];
  #isFailing = false;
  #hasPosted = false;
  #isStopped = false;
  #stopTimer = (): void => {};
  #running: Promise<void> = Promise.resolve();

  constructor(options: CounterUpkeepOptions<Entry>) {
    this.#options = options;
    this.#lease = [randomUUID(), String(options.leaseMs)];
  }

  /** Does rounds from now on, and waits for a moment until one has succeeded: the first connection takes a moment, which need not be reported. */
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

  /** Stops doing rounds. Resolves when the last one has ended. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    return this.#running;
  }

  /** Posts what is left. Another process that ends meanwhile leaves its postings to the one that has the lease. */
  async end(): Promise<void> {
    for (let times = 0; times < maxEnds; times += 1) {
      await this.#round(true);
      if (await this.#release()) return;
    }
  }

  /** Resolves with whether the counters were complete. */
  async #round(isLast = false): Promise<boolean> {
    const { unsent, availability } = this.#options;
    if (unsent.waiting > 0) await unsent.retry();
    const isComplete = await this.#drain(isLast);
    if (!isComplete) await this.#build();
    availability.succeeded();
    return isComplete;
  }

  #rest(): void {
    const { clock, availability } = this.#options;
    if (this.#isStopped) return;
    this.#stopTimer = clock.after(this.#hasPosted ? postingRoundMs : roundMs, () => {
      this.#running = this.#round()
        .catch((error: unknown) => availability.failed(error))
        .then(() => this.#rest());
    });
  }

  /** Sets the counters of a Redis that has none, or has lost them. Until it is done, no decision is made. */
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
  }

  /**
   * Posts what is in the stream, unless another process has it, or enough is done for a round. Resolves with whether the counters
   * are complete.
   */
  async #drain(isLast: boolean): Promise<boolean> {
    const { runner, readEntry, say } = this.#options;
    this.#hasPosted = false;
    let taken = '';
    let wanted = batchSize;
    for (let batches = 1; ; batches += 1) {
      const [state, lost, last = '', lines = ''] = await runner.run('drain', [...this.#lease, taken, String(wanted)]);
      if (lost !== '0') say(`gw: ${lost} postings are lost: no more could wait in Redis for the ledger.\n`);
      const isComplete = state === 'complete';
      if (last === '') return isComplete;
      const texts = lines.split('\n');
      const batch = await readPostings(texts, readEntry);
      const unreadable = texts.length - batch.length;
      if (unreadable > 0) say(`gw: ${unreadable} postings in Redis cannot be read, and are left out.\n`);
      if (!(await this.#post(batch))) return isComplete;
      taken = last;
      this.#hasPosted = true;
      // What has come meanwhile is left for the next round, if there is one, so that the ledger gets few large batches.
      if ((texts.length < batchSize && !isLast) || batches === maxBatches) wanted = 0;
    }
  }

  /** Gives up the lease. Resolves with whether nothing was left in the stream. */
  async #release(): Promise<boolean> {
    return (await this.#options.runner.run('drain', [this.#lease[0], '0', '', '0']))[2] === '0';
  }

  async #post(batch: readonly Posting<Entry>[]): Promise<boolean> {
    try {
      if (batch.length > 0) await this.#options.postings.post(batch);
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing)
        this.#options.say(`gw: The ledger does not take postings, which wait in Redis: ${errorText(error)}\n`);
      this.#isFailing = true;
      // Perhaps another process reaches the ledger.
      await this.#release();
      return false;
    }
  }

  async #claim(): Promise<boolean> {
    return (await this.#options.runner.run('claimBuild', this.#lease))[0] === 'yours';
  }

  /** Keeps the lease while the ledger is asked. */
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
