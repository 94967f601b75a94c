import type { LedgerRecord } from '../record/ledger-record.ts';

/** What is not in the ledger, and never will be. */
export interface LostPostings {
  readonly postings: number;
  readonly attempts: number;
  readonly nanoUsd: bigint;
}

export const nothingLost: LostPostings = { postings: 0, attempts: 0, nanoUsd: 0n };

/** With one more that is lost; a posting whose amounts are absurd has no record. */
export const withLost = (lost: LostPostings, record: LedgerRecord | undefined): LostPostings => ({
  postings: lost.postings + 1,
  attempts: lost.attempts + (record?.attempt?.attempts ?? (record === undefined ? 1 : 0)),
  nanoUsd: lost.nanoUsd + BigInt(record?.attempt?.nano_usd ?? 0),
});
