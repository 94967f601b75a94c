import { expect } from 'vitest';
import type { Posting, Postings } from '../../../../../../plugins/control/metering/ledger/posting.ts';

/** A ledger in memory. A posting that arrives again must be the same as before. */
export interface OnceLedger<Entry> extends Postings<Entry> {
  readonly kept: ReadonlyMap<string, Posting<Entry>>;
}

export const onceLedger = <Entry>(): OnceLedger<Entry> => {
  const kept = new Map<string, Posting<Entry>>();
  return {
    kept,
    post(postings) {
      for (const posting of postings) {
        if (kept.has(posting.id)) expect(posting).toEqual(kept.get(posting.id));
        kept.set(posting.id, posting);
      }
    },
  };
};
