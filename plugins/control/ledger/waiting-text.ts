import type { Posting } from '../limits/limits.ts';
import type { LedgerEntry } from './entry.ts';
import { type LedgerRecord, toRecord } from './ledger-record.ts';
import { type PostingValues, postingOfValues, postingValues } from './posting-values.ts';

/** What waits for the ledger: a posting, or a record where several were merged or an operator changed a counter. */
export type WaitingJson = PostingValues | LedgerRecord;

/** A posting that waits as a text, which costs less to keep and to hand over than what it is made of. */
export const postingText = (posting: Posting<LedgerEntry>): string => JSON.stringify(postingValues(posting));

export const recordText = (record: LedgerRecord): string => JSON.stringify(record);

const isPosting = (waiting: WaitingJson): waiting is PostingValues => Array.isArray(waiting);

export const waitingRecord = (waiting: WaitingJson): LedgerRecord =>
  isPosting(waiting) ? toRecord(postingOfValues(waiting)) : waiting;

/** The record that a text was made of, which is in UTF-8. Throws, with a sentence, where its amounts are absurd. */
export const readWaiting = (text: Buffer): LedgerRecord => waitingRecord(JSON.parse(text.toString()));
