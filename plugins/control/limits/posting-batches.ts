import type { Posting, Postings } from './limits.ts';

export interface PostingBatchesOptions<Entry> {
  readonly postings: Postings<Entry>;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** The most that wait; more are lost. */
  readonly most?: number;
}

/** Postings that wait for the ledger. They arrive in their order, one batch at a time. */
export interface PostingBatches<Entry> {
  add(posting: Posting<Entry>): void;
  readonly isEmpty: boolean;
  /** Sends what waits, unless a batch is on its way. It never rejects: what the ledger did not take waits for the next time. */
  send(): Promise<void>;
  /** Sends what waits, and resolves when the ledger has taken it, or has refused it once more. */
  close(): Promise<void>;
}

const batchSize = 1000;

export const postingBatches = <Entry>(options: PostingBatchesOptions<Entry>): PostingBatches<Entry> => {
  const { postings, say, most = 100_000 } = options;
  let waiting: Posting<Entry>[] = [];
  let sending: Promise<void> | undefined;
  let lost = 0;
  let isFailing = false;

  const tellLost = (): void => {
    if (lost > 0)
      say(`gw: ${lost} postings are lost: the ledger did not take them, and no more than ${most} can wait.\n`);
    lost = 0;
  };

  const failed = (error: unknown): void => {
    const cause = error instanceof Error ? error.message : String(error);
    if (!isFailing) say(`gw: The ledger does not take postings, which wait and are sent again: ${cause}\n`);
    isFailing = true;
  };

  /** Whether the ledger has taken all of them. */
  const sendAll = async (): Promise<boolean> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      try {
        await postings.post(batch);
      } catch (error) {
        failed(error);
        return false;
      }
      waiting = waiting.slice(batch.length);
      isFailing = false;
      tellLost();
    }
    return true;
  };

  const send = (): Promise<void> => {
    sending ??= sendAll().then(() => {
      sending = undefined;
    });
    return sending;
  };

  return {
    add(posting) {
      if (waiting.length < most) waiting.push(posting);
      else lost += 1;
    },
    get isEmpty() {
      return waiting.length === 0;
    },
    send,
    async close() {
      await send();
      if (await sendAll()) return;
      lost += waiting.length;
      waiting = [];
      tellLost();
    },
  };
};
