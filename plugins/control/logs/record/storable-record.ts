import { storableRow } from '../../store/storable.ts';
import type { NewRecord } from './to-record.ts';

/** A record whose texts both databases keep. Those of bodies are sealed. */
export const storableRecord = ({ record, detail }: NewRecord): NewRecord => ({
  record: storableRow(record, ['metadata']),
  detail: storableRow(detail, ['detail']),
});
