import { storableRow } from '../../kernel/store/rows/storable.ts';
import type { RecordDetail, RecordRow } from '../store/log-columns.ts';

interface RecordRows {
  readonly record: RecordRow;
  readonly detail: RecordDetail;
}

/** Whether both databases keep a text as it is. */
const isPlain = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether they keep a JSON text as it is: what they do not keep is an escape in it. */
const isPlainJson = (text: string): boolean => !text.includes('\\u') && isPlain(text);

const isPlainRecord = (record: RecordRow): boolean => {
  for (const name in record) {
    const value = record[name as keyof RecordRow];
    if (typeof value === 'string' && !isPlain(value)) return false;
  }
  return !record.metadata.includes('\\u');
};

/** The rows of a record, whose texts both databases keep. Those of bodies are sealed. */
export const storableRecord = (rows: RecordRows): RecordRows => {
  const { record, detail } = rows;
  // Of most there is nothing to change, which is found in a part of the time.
  if (isPlainRecord(record) && isPlainJson(detail.detail)) return rows;
  return { record: storableRow(record, ['metadata']), detail: storableRow({ ...detail }, ['detail']) };
};
