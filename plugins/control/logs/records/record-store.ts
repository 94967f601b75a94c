import { sql } from 'kysely';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { detailsOfBlock } from '../store/detail-blocks.ts';
import type { LogTables, StoredRecord } from '../store/log-columns.ts';
import { type LogStore, listedIntegers } from '../store/log-store.ts';
import { findNumber, timeOfId } from '../store/stored-id.ts';
import { type Asked, chosenNumbers } from './chosen-records.ts';

/** A record with the JSON of what is wrong with the request, where something is. */
export type ListedRecord = StoredRecord & { readonly problem?: string | null };

/** A record with what it says beside its columns, without its bodies. */
export type DetailedRecord = StoredRecord & { readonly detail: string };

/** A record with all that it says. */
export type WholeRecord = DetailedRecord & { readonly bodies: string | null };

type LogReading = Pick<LogStore, 'db' | 'kind'>;

type ViewedRecord = LogTables['log_records'];

/** Reads the records with some numbers, the newest first. */
const recordsWith = async ({ db, kind }: LogReading, numbers: readonly number[]): Promise<readonly ViewedRecord[]> => {
  const { rows } = await sql<ViewedRecord>`select * from log_records
    where number in ${listedIntegers(kind, numbers)} order by number desc`.execute(db);
  return rows.map((row) => ({ ...row, created_at: timeOfId(row.id) }));
};

/** Requests are served between two blocks. */
const othersTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Reads the details of records, by their numbers. */
const readDetails = async (
  { db, kind }: LogReading,
  records: readonly ViewedRecord[],
): Promise<ReadonlyMap<number, string>> => {
  const places = new Map<number, Set<number>>();
  for (const { block, place } of records) places.set(block, (places.get(block) ?? new Set()).add(place));
  const { rows } = await sql<{ readonly number: number; readonly data: Uint8Array }>`select number, data from log_blocks
    where number in ${listedIntegers(kind, [...places.keys()])}`.execute(db);
  const blocks = new Map<number, ReadonlyMap<number, string>>();
  for (const { number, data } of rows) {
    if (blocks.size > 0) await othersTurn();
    blocks.set(number, detailsOfBlock(data, places.get(number) ?? new Set()));
  }
  return new Map(records.map(({ number, block, place }) => [number, blocks.get(block)?.get(place) ?? '{}']));
};

const toProblem = (detail: string): string | null => {
  const { problem } = parseObject(detail) ?? {};
  return problem === undefined ? null : JSON.stringify(problem);
};

/** Lists the records of a workspace that a filter chooses, the newest first. */
export const listRecords = async (reading: LogReading, asked: Asked): Promise<readonly ListedRecord[]> => {
  const records = await recordsWith(reading, await chosenNumbers(reading, asked));
  const details = await readDetails(
    reading,
    records.filter(({ has_problem }) => has_problem === 1),
  );
  return records.map((record) => ({ ...record, problem: toProblem(details.get(record.number) ?? '{}') }));
};

/** Lists the same records with all their members but bodies, which may be many megabytes of each. */
export const readRecords = async (reading: LogReading, asked: Asked): Promise<readonly DetailedRecord[]> => {
  const records = await recordsWith(reading, await chosenNumbers(reading, asked));
  const details = await readDetails(reading, records);
  return records.map((record) => ({ ...record, detail: details.get(record.number) ?? '{}' }));
};

/** Finds the record of a workspace with an id. */
export const findRecord = async (reading: LogReading, tenant: string, id: string): Promise<WholeRecord | undefined> => {
  const number = await findNumber(reading.db, id);
  if (number === undefined) return undefined;
  const [record] = await recordsWith(reading, [number]);
  if (record?.workspace_id !== tenant) return undefined;
  const details = await readDetails(reading, [record]);
  const row = await reading.db
    .selectFrom('log_bodies')
    .select('bodies')
    .where('number', '=', number)
    .executeTakeFirst();
  return { ...record, detail: details.get(number) ?? '{}', bodies: row?.bodies ?? null };
};
