import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Job } from '../../kernel/store/job.ts';
import { storableJson } from '../../kernel/store/rows/storable.ts';
import { columnBytes, type NewRecord } from '../recording/to-record.ts';
import type { LogTables } from '../store/log-columns.ts';
import { takeTurn } from '../store/log-store.ts';
import { dropTablesBefore, hasRecordsBefore, type RecordBefore, takeRecordsBefore } from '../store/records-before.ts';
import { addBytes, insertRecords } from './write-records.ts';

const toNewRecord = ({ detail: text, bodies, ...row }: RecordBefore): NewRecord => {
  const detail = storableJson(text);
  const { id, workspace_id } = row;
  return {
    record: {
      ...row,
      metadata: storableJson(row.metadata),
      has_problem: parseObject(detail)?.problem === undefined ? 0 : 1,
      bytes: columnBytes + (bodies?.length ?? 0),
    },
    detail: { id, workspace_id, detail, bodies },
  };
};

/** Converts the newest records that an earlier version has written, some at a time. Their hours are kept as they are. */
export const job: Job<LogTables> = async (writing, { kind }) => {
  // Another process may have converted the last ones meanwhile.
  await takeTurn(writing, kind);
  if (!(await hasRecordsBefore(writing, kind))) return;
  const records = await takeRecordsBefore(writing, kind, { first: 'newest' });
  if (records.length === 0) {
    await dropTablesBefore(writing);
    return;
  }
  await insertRecords(writing, [records.map(toNewRecord)], { kind, areNew: false });
  await addBytes(writing, kind, -records.reduce((sum, { bytes }) => sum + bytes, 0));
};
