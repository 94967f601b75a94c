import { randomUUID } from 'node:crypto';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { Unit } from '../../../kernel/limits/unit.ts';
import type { PostedCharge, Posting, Postings } from '../../ledger/record/posting.ts';
import type { ScriptRunner } from './script-runner.ts';

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
