import { randomUUID } from 'node:crypto';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { Unit } from '../../../kernel/limits/limit-policy.ts';
import type { PostedCharge, Posting, Postings } from '../../ledger/record/posting.ts';
import type { CounterSum } from '../limits.ts';
import type { ScriptRunner } from './script-runner.ts';

interface CounterBuilderOptions {
  readonly clock: Clock;
  readonly runner: ScriptRunner;
  readonly sums: () => Promise<readonly CounterSum[]>;
  readonly leaseMs: number;
}

/** Sums that one script sets. */
const sumsAtOnce = 500;

/** The kind of a reset, its days, and the moment from which they are counted. */
const toResetTexts = (reset: CounterSum['reset']): readonly [string, string, string] =>
  reset.every === 'days' ? [reset.every, String(reset.days), String(reset.from)] : [reset.every, '', ''];

const toSumTexts = ({ policy, bucket, reset, window, used }: CounterSum): readonly string[] => [
  policy,
  bucket,
  ...toResetTexts(reset),
  String(window),
  String(used),
];

/**
 * Builds the counters of a Redis that has none, or has lost them, from the sums of the ledger. One process does so at a time; if
 * it ends, its lease does. Until it is done, no decision is made.
 */
export const counterBuilder = ({ clock, runner, sums, leaseMs }: CounterBuilderOptions): (() => Promise<void>) => {
  const lease = [randomUUID(), String(leaseMs)];

  const claim = async (): Promise<boolean> => (await runner.run('claimBuild', lease))[0] === 'yours';

  /** Keeps the lease while the ledger is asked. */
  const sumsUnderLease = async (): Promise<readonly CounterSum[]> => {
    let stop = (): void => {};
    let isOver = false;
    const renew = (): void => {
      stop = clock.after(leaseMs / 3, () => {
        claim().then(
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
  };

  return async () => {
    if (!(await claim())) return;
    const all = await sumsUnderLease();
    const epoch = randomUUID();
    for (let at = 0; at === 0 || at < all.length; at += sumsAtOnce) {
      const isLast = at + sumsAtOnce >= all.length;
      const texts = all.slice(at, at + sumsAtOnce).flatMap(toSumTexts);
      const [answer] = await runner.run('build', [...lease, isLast ? epoch : '', ...texts]);
      if (answer !== 'done') return;
    }
  };
};

const isUnit = (text: unknown): text is Unit => text === 'requests' || text === 'tokens' || text === 'nanoUsd';

const isText = (value: unknown): value is string => typeof value === 'string';

const toCharge = (value: unknown): PostedCharge | undefined => {
  if (!Array.isArray(value) || !value.every(isText)) return undefined;
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
    if (!isText(id) || !isText(corrects) || entry === undefined) return undefined;
    const charges = rest.map(toCharge).filter((charge) => charge !== undefined);
    if (charges.length < rest.length) return undefined;
    return { id, charges, entry, ...(corrects === '' ? {} : { corrects }) };
  } catch {
    return undefined;
  }
};

interface PostingDrainOptions<Entry> {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly runner: ScriptRunner;
  readonly postings: Postings<Entry>;
  readonly readEntry: (value: unknown) => Entry | undefined;
  readonly say: (text: string) => void;
  readonly leaseMs: number;
}

/** Postings that the ledger gets at once. */
const batchSize = 1000;

/** Full batches after which a round ends, so that what else it does is not put off under load. */
const maxBatches = 10;

/** Milliseconds for which postings are gathered after some were posted: a ledger writes many for little more than a few. */
const gatherMs = 400;

/** Brings postings from the stream to the ledger. One process does so at a time; if it ends, its lease does. */
export class PostingDrain<Entry> {
  readonly #options: PostingDrainOptions<Entry>;
  readonly #token = randomUUID();
  #isFailing = false;
  #postedAt = Number.NEGATIVE_INFINITY;

  constructor(options: PostingDrainOptions<Entry>) {
    this.#options = options;
  }

  /**
   * Posts what is in the stream, unless another process has it, or enough is done for a round, or, where it is not the last time,
   * some were posted a moment ago. Resolves with whether the counters are complete.
   */
  async drain(isLast = false): Promise<boolean> {
    const { clock, runner, readEntry, say, leaseMs } = this.#options;
    let taken = '';
    let wanted = isLast || clock.monotonic() >= this.#postedAt + gatherMs ? batchSize : 0;
    for (let batches = 1; ; batches += 1) {
      const asked = [this.#token, String(leaseMs), taken, String(wanted)];
      const [state, lost, last = '', lines = ''] = await runner.run('drain', asked);
      if (lost !== '0') say(`gw: ${lost} postings are lost: no more could wait in Redis for the ledger.\n`);
      const isComplete = state === 'complete';
      if (last === '') return isComplete;
      const read = lines.split('\n').map((line) => toPosting(line, readEntry));
      const batch = read.filter((posting) => posting !== undefined);
      const unreadable = read.length - batch.length;
      if (unreadable > 0) say(`gw: ${unreadable} postings in Redis cannot be read, and are left out.\n`);
      if (!(await this.#post(batch))) return isComplete;
      taken = last;
      this.#postedAt = clock.monotonic();
      // What has come meanwhile is left for the next round, if there is one, so that the ledger gets few large batches.
      if ((read.length < batchSize && !isLast) || batches === maxBatches) wanted = 0;
    }
  }

  /** Gives up the lease. Resolves with whether nothing was left in the stream. */
  async release(): Promise<boolean> {
    const [, , left] = await this.#options.runner.run('drain', [this.#token, '0', '', '0']);
    return left === '0';
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
      await this.release();
      return false;
    }
  }
}
