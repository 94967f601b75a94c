import { type ListedRecord, listBlock } from '../records/record-store.ts';
import type { LogRow, LogStore } from '../writer/log-store.ts';
import { beginning, type EventPlace } from './event-place.ts';

type LogReading = Pick<LogStore, 'db' | 'kind'>;

type Block = Pick<LogRow<'log_blocks'>, 'number' | 'places' | 'first_record' | 'last_record'>;

const columns = ['number', 'places', 'first_record', 'last_record'] as const;

const endOf = ({ number, places, last_record }: Block): EventPlace => ({
  block: number,
  seen: places,
  record: last_record ?? 0,
});

/** Finds the place after the last written record. */
export const findEnd = async ({ db }: LogReading): Promise<EventPlace> => {
  const last = await db.selectFrom('log_blocks').select(columns).orderBy('number', 'desc').limit(1).executeTakeFirst();
  return last === undefined ? beginning : endOf(last);
};

const isOf = (place: EventPlace, { places, first_record: first, last_record: last }: Block): boolean => {
  if (place.seen > places) return false;
  return first === null || last === null ? place.record === 0 : first <= place.record && place.record <= last;
};

/**
 * Returns where reading continues after a place: there, or at the beginning if the log was emptied since, because all of its
 * records are then newer. Deleted records are skipped.
 */
export const resumeAt = async (reading: LogReading, place: EventPlace): Promise<EventPlace> => {
  const { db } = reading;
  const block = await db.selectFrom('log_blocks').select(columns).where('number', '=', place.block).executeTakeFirst();
  if (block !== undefined) return isOf(place, block) ? place : beginning;
  return place.block <= (await findEnd(reading)).block ? place : beginning;
};

/** A record, and the place after it. */
export interface WrittenRecord {
  readonly place: EventPlace;
  readonly record: ListedRecord;
}

/** Some records in the order in which they were written, and the place that they reach to. */
export interface WrittenRecords {
  readonly records: readonly WrittenRecord[];
  readonly end: EventPlace;
  /** Whether more records follow. */
  readonly hasMore: boolean;
  /** Whether the log was emptied, so that its places start again. */
  readonly isAnew: boolean;
}

interface AskedWritten {
  readonly after: EventPlace;
  readonly tenants: readonly string[];
  /** The maximum number of blocks to read, each with at most 128 records. */
  readonly maxBlocks: number;
}

/**
 * Reads what was written after a place for some workspaces. Records of an earlier version that are being converted are omitted,
 * because they are not new. Rejects like the store.
 */
export const readWritten = async (
  reading: LogReading,
  { after, tenants, maxBlocks }: AskedWritten,
): Promise<WrittenRecords> => {
  const found = await reading.db
    .selectFrom('log_blocks')
    .select(columns)
    .where('number', '>=', after.block)
    .orderBy('number')
    // The block of the place itself, in case all of it was seen, and one that shows whether more follow.
    .limit(maxBlocks + 2)
    .execute();
  if (found.length === 0 && after.block > 0 && (await resumeAt(reading, after)) === beginning)
    return { records: [], end: beginning, hasMore: true, isAnew: true };
  const unread = found.filter(({ number, places }) => number !== after.block || places > after.seen);
  const records: WrittenRecord[] = [];
  let end = after;
  for (const block of unread.slice(0, maxBlocks)) {
    const { number, places, first_record: first, last_record: last } = block;
    const from = number === after.block ? after.seen : 0;
    end = endOf(block);
    if (first === null || last === null) continue;
    for (const record of await listBlock(reading, { block: number, from, to: places, first, last, tenants }))
      records.push({ place: { block: number, seen: record.place + 1, record: record.number }, record });
  }
  return { records, end, hasMore: unread.length > maxBlocks, isAnew: false };
};
