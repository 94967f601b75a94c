import type { Posting } from '../limits/limits.ts';
import type { LedgerEntry } from './entry.ts';
import { type LedgerRecord, toRecord } from './ledger-record.ts';

/** What waits for the ledger: a posting, or a record where several were merged or an operator changed a counter. */
export type WaitingJson = { readonly posting: Posting<LedgerEntry> } | { readonly record: LedgerRecord };

/** What waits as a text, which costs less to keep and to hand over than what it is made of. */
export const waitingText = (waiting: WaitingJson): string => JSON.stringify(waiting);

export const waitingRecord = (waiting: WaitingJson): LedgerRecord =>
  'record' in waiting ? waiting.record : toRecord(waiting.posting);

/** The record that a text was made of, which is in UTF-8. Throws, with a sentence, where its amounts are absurd. */
export const readWaiting = (text: Buffer): LedgerRecord => waitingRecord(JSON.parse(text.toString()));
