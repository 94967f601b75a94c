import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { StoredRecord } from '../writer/log-store.ts';
import type { Comparison, RecordFilter } from './record-filters.ts';

const holds = (record: StoredRecord, { column, is, value }: Comparison): boolean => {
  const found = record[column as keyof StoredRecord];
  if (is === '=') return found === value;
  if (typeof found !== 'number' || typeof value !== 'number') return false;
  return is === '>=' ? found >= value : found <= value;
};

/** Checks whether a filter matches a record in memory. It matches the same records as the queries of the log. */
export const matchesFilter = (
  { comparisons, labels, min = 0, max = Number.POSITIVE_INFINITY }: RecordFilter,
  record: StoredRecord,
): boolean => {
  if (record.created_at < min || record.created_at >= max) return false;
  if (!comparisons.every((comparison) => holds(record, comparison))) return false;
  if (labels.length === 0) return true;
  const metadata = parseObject(record.metadata) ?? {};
  return labels.every(([name, value]) => Object.hasOwn(metadata, name) && metadata[name] === value);
};
