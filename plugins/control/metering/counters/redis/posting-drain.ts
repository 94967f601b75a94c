import { randomUUID } from 'node:crypto';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import type { Posting, Postings } from '../../ledger/record/posting.ts';
import { toPosting } from './posting-texts.ts';
import type { ScriptRunner } from './script-runner.ts';

export interface PostingDrainOptions<Entry> {
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
export interface PostingDrain {
  /**
   * Posts what is in the stream, unless another process has it, or enough is done for a round, or, where it is not the last time,
   * some were posted a moment ago. Resolves with whether the counters are complete.
   */
  drain(options?: { readonly isLast: boolean }): Promise<boolean>;
  /** Gives up the lease. Resolves with whether nothing was left in the stream. */
  release(): Promise<boolean>;
}

export const postingDrain = <Entry>(options: PostingDrainOptions<Entry>): PostingDrain => {
  const { clock, runner, postings, readEntry, say, leaseMs } = options;
  const token = randomUUID();
  let isFailing = false;
  let postedAt = Number.NEGATIVE_INFINITY;

  const failed = (error: unknown): void => {
    const cause = errorText(error);
    if (!isFailing) say(`gw: The ledger does not take postings, which wait in Redis: ${cause}\n`);
    isFailing = true;
  };

  const release = async (): Promise<boolean> => {
    const [, , left] = await runner.run('drain', [token, '0', '', '0']);
    return left === '0';
  };

  const posted = async (batch: readonly Posting<Entry>[]): Promise<boolean> => {
    try {
      if (batch.length > 0) await postings.post(batch);
      isFailing = false;
      return true;
    } catch (error) {
      failed(error);
      // Perhaps another process reaches the ledger.
      await release();
      return false;
    }
  };

  return {
    async drain({ isLast } = { isLast: false }) {
      let taken = '';
      let wanted = isLast || clock.monotonic() >= postedAt + gatherMs ? batchSize : 0;
      for (let batches = 1; ; batches += 1) {
        const asked = [token, String(leaseMs), taken, String(wanted)];
        const [state, lost, last = '', lines = ''] = await runner.run('drain', asked);
        if (lost !== '0') say(`gw: ${lost} postings are lost: no more could wait in Redis for the ledger.\n`);
        const isComplete = state === 'complete';
        if (last === '') return isComplete;
        const batch = lines.split('\n').map((line) => toPosting(line, readEntry));
        const unreadable = batch.filter((posting) => posting === undefined).length;
        if (unreadable > 0) say(`gw: ${unreadable} postings in Redis cannot be read, and are left out.\n`);
        if (!(await posted(batch.filter((posting) => posting !== undefined)))) return isComplete;
        taken = last;
        postedAt = clock.monotonic();
        // What has come meanwhile is left for the next round, if there is one, so that the ledger gets few large batches.
        if ((batch.length < batchSize && !isLast) || batches === maxBatches) wanted = 0;
      }
    },
    release,
  };
};
