import { storableRow } from '../../store/storable.ts';
import type { RecordDetail, RecordRow } from '../store/log-columns.ts';

interface RecordRows {
  readonly record: RecordRow;
  readonly detail: RecordDetail;
}

/** The rows of a record, whose texts both databases keep. Those of bodies are sealed. */
export const storableRecord = ({ record, detail }: RecordRows): RecordRows => ({
  record: storableRow(record, ['metadata']),
  detail: storableRow(detail, ['detail']),
});
