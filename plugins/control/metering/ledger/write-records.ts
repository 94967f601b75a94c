import { startOfHour } from '../../../../schema/durations.ts';
import type { JobInput } from '../../kernel/store/job.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { LedgerRow } from '../../kernel/store/tables.ts';
import { firstName, LedgerCache, NameKeeper } from './kept-names.ts';
import { type AddedSums, addAttempt, addSums, type BookedSums, noSums, type Sums, toSums } from './ledger-columns.ts';
import type { Facts, LedgerRecord, RecordedAttempt } from './ledger-record.ts';
import { shortId } from './short-id.ts';
import type { LabelBounds } from './waiting-records.ts';
import { writeCounters, writeHours, writeLabels } from './write-labels.ts';
import { writePostings } from './write-postings.ts';

/**
 * Returns the difference between the usage and the estimate, with the time and the caller of the estimate. Both together are the
 * usage.
 */
const corrected = (
  estimate: RecordedAttempt,
  actual: RecordedAttempt,
): { readonly attempt: RecordedAttempt; readonly sums: Sums } => {
  const { attempts, requests } = estimate;
  const sums = toSums({ ...actual, attempts, requests });
  addSums(sums, toSums(estimate), -1);
  const { unpriced, reported, partial, estimated, none, nano_usd, ...used } = sums;
  const isPriced = actual.nano_usd !== null || estimate.nano_usd !== null;
  const { answered_model, kind, tier, prices } = actual.facts;
  return {
    attempt: {
      ...estimate,
      ...used,
      facts: { ...estimate.facts, answered_model, kind, tier, prices },
      corrects: actual.corrects,
      nano_usd: isPriced ? nano_usd : null,
    },
    sums,
  };
};

interface WriteOptions {
  readonly kind: Store['kind'];
  readonly bounds: LabelBounds | undefined;
  /** The cache of the database; nothing is cached if absent. */
  readonly memory?: LedgerCache;
  /** Calls back when the transaction has succeeded. */
  readonly onSuccess?: JobInput['onSuccess'];
}

/** A record, with what it adds to the sums if that differs from the usage of its attempt. */
interface BookedRecord extends LedgerRecord {
  readonly sums?: Sums;
}

const toAttempt = (row: LedgerRow): RecordedAttempt => {
  const { organisation_id, workspace_id, key_id, config, prompt, provider, slug, model, ...others } = row;
  const { id: _id, answered_model, kind, tier, prices, metadata, ...used } = others;
  const named = { organisation_id, workspace_id, key_id, config, prompt, provider, slug, model };
  return { ...used, facts: { ...named, answered_model, kind, tier, prices, metadata } };
};

/** Returns the differences between usages and estimates; the whole usage if the estimate was never written. */
const differences = async (
  writing: Writing,
  corrections: readonly LedgerRecord[],
): Promise<readonly BookedRecord[]> => {
  const ids = corrections.flatMap(({ attempt }) => attempt?.corrects ?? []);
  // An estimate that an earlier version has written has its full id.
  const rows = await inChunks([...new Set([...ids.map(shortId), ...ids])], (chunk) =>
    writing.selectFrom('ledger').selectAll().where('id', 'in', chunk).execute(),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return corrections.map((record) => {
    const { attempt } = record;
    const id = attempt?.corrects ?? '';
    const estimate = byId.get(shortId(id)) ?? byId.get(id);
    if (attempt === undefined || estimate === undefined) return record;
    return { ...record, ...corrected(toAttempt(estimate), attempt) };
  });
};

/**
 * Sums records of the same hour with the same facts, in the order of the first record of each group, because only the first
 * values of a label are counted separately.
 */
const groupSums = (records: readonly BookedRecord[]): readonly BookedSums[] => {
  const groups: BookedSums[] = [];
  const byFacts = new Map<Facts, Map<number, AddedSums>>();
  for (const { attempt, sums } of records) {
    if (attempt === undefined) continue;
    const { facts } = attempt;
    const hours = byFacts.get(facts) ?? new Map<number, AddedSums>();
    const at = startOfHour(attempt.at);
    const before = hours.get(at);
    const added = before ?? noSums();
    if (before === undefined) {
      byFacts.set(facts, hours.set(at, added));
      groups.push({ facts, at, sums: added });
    }
    if (sums === undefined) addAttempt(added, attempt);
    else addSums(added, sums);
  }
  return groups;
};

const groupOf = ({ attempt }: LedgerRecord): 'corrections' | 'plain' =>
  attempt !== undefined && attempt.corrects !== null ? 'corrections' : 'plain';

/** Writes records in one transaction with all sums. A record whose id exists changes nothing. */
export const writeRecords = async (
  writing: Writing,
  records: readonly LedgerRecord[],
  { kind, bounds, memory = new LedgerCache(), onSuccess = () => {} }: WriteOptions,
): Promise<void> => {
  memory.forgetBefore(await firstName(writing));
  const names = new NameKeeper(writing, kind, memory);
  // Corrections may refer to records that are written with them.
  const { plain = [], corrections = [] } = Object.groupBy(records, groupOf);
  const written = await writePostings(writing, plain, { kind, names, memory });
  const correcting = await differences(writing, corrections);
  const all = [...written, ...(await writePostings(writing, correcting, { kind, names, memory }))];
  const sums = groupSums(all);
  await writeCounters(writing, kind, all);
  await writeHours(writing, kind, sums);
  const admitted = await writeLabels(writing, sums, { kind, bounds, before: memory.admitted });
  onSuccess(() => {
    memory.noteNames(names.kept);
    memory.noteAdmitted(admitted);
  });
};
