import { randomUUID } from 'node:crypto';
import type { Posting, Postings } from '../limits.ts';
import { toPosting } from './posting-texts.ts';
import type { ScriptRunner } from './script-runner.ts';

export interface PostingDrainOptions<Entry> {
  readonly runner: ScriptRunner;
  readonly postings: Postings<Entry>;
  readonly readEntry: (value: unknown) => Entry | undefined;
  readonly say: (text: string) => void;
  readonly leaseMs: number;
}

/** Postings that the ledger gets at once. */
const batchSize = 500;

/** Full batches after which a round ends, so that what else it does is not put off under load. */
const mostBatches = 20;

/** Brings postings from the stream to the ledger. One process does so at a time; if it ends, its lease does. */
export interface PostingDrain {
  /** Posts what is in the stream, unless another process has it, or enough is done for a round. Resolves with whether the counters are complete. */
  drain(): Promise<boolean>;
  /** Gives up the lease. */
  release(): Promise<void>;
}

export const postingDrain = <Entry>(options: PostingDrainOptions<Entry>): PostingDrain => {
  const { runner, postings, readEntry, say, leaseMs } = options;
  const token = randomUUID();
  let isFailing = false;

  const failed = (error: unknown): void => {
    const cause = error instanceof Error ? error.message : String(error);
    if (!isFailing) say(`gw: The ledger does not take postings, which wait in Redis: ${cause}\n`);
    isFailing = true;
  };

  const release = async (): Promise<void> => {
    await runner.run('drain', [token, '0', '', '0']);
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
    async drain() {
      let taken = '';
      let wanted = batchSize;
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
        // What has come meanwhile is left for the next round, so that the ledger gets few large batches.
        if (batch.length < batchSize || batches === mostBatches) wanted = 0;
      }
    },
    release,
  };
};
