import type { Store, Writing } from '../store/store.ts';
import type { LedgerRow } from '../store/tables.ts';
import { type BookedSums, corrected } from './booked-attempt.ts';
import { inChunks } from './in-chunks.ts';
import type { Facts, LedgerRecord, RecordedAttempt } from './ledger-record.ts';
import { shortId } from './short-id.ts';
import { addSums, type Sums, toSums } from './summed-columns.ts';
import { writeCounters } from './write-counters.ts';
import { hourOf, writeHours } from './write-hours.ts';
import { type LabelBounds, writeLabels } from './write-labels.ts';
import { writePostings } from './write-postings.ts';

export interface WriteOptions {
  readonly kind: Store['kind'];
  readonly bounds: LabelBounds | undefined;
}

/** A record with what it adds to the sums. */
interface BookedRecord extends LedgerRecord {
  readonly sums?: Sums;
}

const attemptOf = ({ id: _id, at, trace, corrects, ...row }: LedgerRow): RecordedAttempt => {
  const { requests, attempts, input_tokens, cache_read_tokens, cache_write_tokens, ...others } = row;
  const { audio_tokens, output_tokens, reasoning_tokens, nano_usd, ...facts } = others;
  return {
    ...{ at, trace, corrects, requests, attempts, input_tokens, cache_read_tokens, cache_write_tokens },
    ...{ audio_tokens, output_tokens, reasoning_tokens, nano_usd, facts },
  };
};

/** Estimates by their ids; one that was written before has the id that it had then. */
const estimatesOf = async (
  writing: Writing,
  corrections: readonly LedgerRecord[],
): Promise<(id: string) => LedgerRow | undefined> => {
  const ids = corrections.flatMap(({ attempt }) => attempt?.corrects ?? []);
  const rows = await inChunks([...new Set([...ids.map(shortId), ...ids])], (chunk) =>
    writing.selectFrom('ledger').selectAll().where('id', 'in', chunk).execute(),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (id) => byId.get(shortId(id)) ?? byId.get(id);
};

const booked = (record: LedgerRecord): BookedRecord =>
  record.attempt === undefined ? record : { ...record, sums: toSums(record.attempt) };

/** The difference of what was used to an estimate; all of it where the estimate was never written. */
const differences = async (
  writing: Writing,
  corrections: readonly LedgerRecord[],
): Promise<readonly BookedRecord[]> => {
  if (corrections.length === 0) return [];
  const estimateOf = await estimatesOf(writing, corrections);
  return corrections.map((record) => {
    const { attempt } = record;
    const estimate = attempt?.corrects == null ? undefined : estimateOf(attempt.corrects);
    if (attempt === undefined || estimate === undefined) return booked(record);
    return { ...record, ...corrected(attemptOf(estimate), attempt) };
  });
};

/** What records add, those of an hour with the same facts together. */
const sumsOf = (records: readonly BookedRecord[]): readonly BookedSums[] => {
  const byFacts = new Map<Facts, Map<number, Sums>>();
  for (const { attempt, sums } of records) {
    if (attempt === undefined || sums === undefined) continue;
    const hours = byFacts.get(attempt.facts) ?? new Map<number, Sums>();
    byFacts.set(attempt.facts, hours);
    const hour = hourOf(attempt.at);
    const before = hours.get(hour);
    hours.set(hour, before === undefined ? sums : addSums(before, sums));
  }
  return [...byFacts].flatMap(([facts, hours]) => [...hours].map(([at, sums]) => ({ facts, at, sums })));
};

/** Writes records in one transaction with all sums. One whose id is there already changes nothing. */
export const writeRecords = async (
  writing: Writing,
  given: readonly LedgerRecord[],
  { kind, bounds }: WriteOptions,
): Promise<void> => {
  const byId = new Map<string, LedgerRecord>();
  for (const record of given) if (!byId.has(record.id)) byId.set(record.id, record);
  const isCorrection = ({ attempt }: LedgerRecord): boolean => attempt !== undefined && attempt.corrects !== null;
  const records = [...byId.values()];
  const plain = records.filter((record) => !isCorrection(record)).map(booked);
  const written = await writePostings(writing, kind, plain);
  const corrections = await differences(writing, records.filter(isCorrection));
  const all = [...written, ...(await writePostings(writing, kind, corrections))];
  const sums = sumsOf(all);
  await writeCounters(writing, all);
  await writeHours(writing, sums);
  await writeLabels(writing, sums, bounds);
};
