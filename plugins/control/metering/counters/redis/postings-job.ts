import { toBuffer } from '../../../../sdk/http/to-buffer.ts';
import type { Job } from '../../../kernel/store/job.ts';
import type { Tables } from '../../../kernel/store/tables.ts';
import { cacheOf } from '../../ledger/kept-names.ts';
import { createRecords, type LedgerRecord } from '../../ledger/ledger-record.ts';
import { readEntry } from '../../ledger/posting.ts';
import { writeRecords } from '../../ledger/write-records.ts';
import { toPosting } from './posting-texts.ts';

const toRecord = createRecords();

const readRecord = (text: string): LedgerRecord => {
  const posting = toPosting(text, readEntry);
  if (posting === undefined) throw new TypeError('A posting in Redis cannot be read.');
  return toRecord(posting);
};

/** Writes postings of the stream in Redis to the ledger, one per line. Writes none if any of them is not valid. */
export const job: Job<Tables> = async (writing, { kind, bytes, database, onSuccess }) => {
  const records = toBuffer(bytes).toString().split('\n').map(readRecord);
  await writeRecords(writing, records, { kind, bounds: undefined, memory: cacheOf(database), onSuccess });
};
