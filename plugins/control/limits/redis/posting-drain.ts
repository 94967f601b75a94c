import { randomUUID } from 'node:crypto';
import type { Posting, Postings } from '../limits.ts';
import { streamedPostings, toPosting } from './posting-texts.ts';
import type { ScriptRunner } from './script-runner.ts';

export interface PostingDrainOptions<Entry> {
  readonly runner: ScriptRunner;
  readonly postings: Postings<Entry>;
  readonly readEntry: (value: unknown) => Entry | undefined;
  readonly say: (text: string) => void;
  readonly leaseMs: number;
}

/** Batches after which a round ends, so that what else it does is not put off under load. */
const mostBatches = 20;

/** Brings postings from the stream to the ledger. One process does so at a time; if it ends, its lease does. */
export interface PostingDrain {
  /** Posts until the stream is empty, or another process has it, or enough is done for a round. Resolves with whether the counters are complete. */
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
    await runner.run('drain', [token, '0']);
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
      let taken: readonly string[] = [];
      for (let batches = 0; ; batches += 1) {
        const [state, lost, ...texts] = await runner.run('drain', [token, String(leaseMs), ...taken]);
        if (lost !== '0') say(`gw: ${lost} postings are lost: no more could wait in Redis for the ledger.\n`);
        const streamed = streamedPostings(texts);
        const isComplete = state === 'complete';
        if (streamed.length === 0) return isComplete;
        const batch = streamed.map((each) => toPosting(each, readEntry));
        const unreadable = batch.filter((posting) => posting === undefined).length;
        if (unreadable > 0) say(`gw: ${unreadable} postings in Redis cannot be read, and are left out.\n`);
        if (batches === mostBatches) return isComplete;
        if (!(await posted(batch.filter((posting) => posting !== undefined)))) return isComplete;
        taken = streamed.map(({ at }) => at);
      }
    },
    release,
  };
};
