import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { storableRow, storedText } from '../../kernel/store/rows/storable.ts';
import type { LedgerRow } from '../../kernel/store/tables.ts';
import type { LedgerEntry, PostedCharge, Posting } from './posting.ts';
import { TextTree } from './text-tree.ts';

type Key = string | undefined;

/** The owner and the target of an attempt. Many attempts share one object. */
export type Facts = Readonly<
  Pick<
    LedgerRow,
    | ('organisation_id' | 'workspace_id' | 'key_id' | 'config' | 'prompt' | 'provider' | 'slug' | 'model')
    | ('answered_model' | 'kind' | 'tier' | 'prices' | 'metadata')
  >
>;

/** A counter of a policy. Many charges share one object. */
export type Counter = Readonly<Pick<PostedCharge, 'policy' | 'bucket' | 'unit'>>;

/** A value that is stored once for many postings. */
export type Named = Facts | Counter;

/** The columns with the counts of an attempt, without its cost. */
export const countedColumns = [
  'requests',
  'attempts',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'audio_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const;

export interface RecordedCharge extends Pick<PostedCharge, 'amount' | 'window'> {
  readonly counter: Counter;
}

/** The usage of one attempt, or of several that were merged. */
export interface RecordedAttempt extends Readonly<Omit<LedgerRow, keyof Facts | 'id'>> {
  readonly facts: Facts;
}

/** A posting as it is written. Without an attempt it only changes counters. */
export interface LedgerRecord {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly charges: readonly RecordedCharge[];
  readonly attempt?: RecordedAttempt;
}

export const recordedCharge = ({ policy, bucket, unit, amount, window }: PostedCharge): RecordedCharge => ({
  ...{ counter: { policy, bucket, unit }, amount, window },
});

/** The maximum length of the stored name of a model, provider or config, in characters. */
const longestText = 200;

/**
 * A million million tokens, or a thousand dollars. Larger amounts are assumed to be reported by mistake, and could overflow sums.
 */
const max = 1e12;

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && Math.abs(value) <= max;

/**
 * Returns the name of a model, provider or config as it is stored. A longer text is copied, because a slice of a text retains all
 * of it in memory.
 */
export const plainText = (text: string): string =>
  text.length <= longestText ? text : Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le');

const plainKey = (text: string | undefined): Key => (text === undefined ? undefined : plainText(text));

const textOrNull = (text: string | undefined): string | null => plainKey(text) ?? null;

const toSum = (counts: UsageRecord['input']['cacheWrite']): number =>
  counts === undefined ? 0 : Object.values(counts).reduce((sum, each) => sum + each, 0);

const toFacts = (entry: LedgerEntry): Facts => {
  const { usage } = entry;
  return storableRow<Facts>(
    {
      organisation_id: entry.organisation,
      workspace_id: entry.workspace,
      key_id: entry.key ?? null,
      config: textOrNull(entry.config),
      prompt: textOrNull(entry.prompt),
      provider: plainText(entry.provider),
      slug: textOrNull(entry.slug),
      model: plainText(entry.model === '' ? usage.model : entry.model),
      answered_model: plainText(usage.model),
      kind: usage.kind,
      tier: textOrNull(usage.tier),
      prices: textOrNull(usage.cost?.prices),
      metadata: JSON.stringify(entry.metadata),
    },
    ['metadata'],
  );
};

const toAttempt = ({ entry, corrects }: Posting<LedgerEntry>, facts: Facts): RecordedAttempt => {
  const { input, output, cost } = entry.usage;
  return {
    facts,
    at: entry.at,
    trace: storedText(plainText(entry.trace)),
    requests: entry.isFirst ? 1 : 0,
    attempts: 1,
    input_tokens: input.total,
    cache_read_tokens: input.cacheRead ?? 0,
    cache_write_tokens: toSum(input.cacheWrite),
    audio_tokens: (input.audio ?? 0) + (output.audio ?? 0),
    output_tokens: output.total,
    reasoning_tokens: output.reasoning ?? 0,
    nano_usd: cost === undefined ? null : Math.min(cost.nanoUsd, max),
    corrects: corrects ?? null,
  };
};

const isWhole = ({ at, charges, attempt }: LedgerRecord): boolean =>
  Number.isSafeInteger(at) &&
  charges.every(({ amount, window }) => isAmount(amount) && Number.isSafeInteger(window)) &&
  (attempt === undefined ||
    (isAmount(attempt.input_tokens) &&
      isAmount(attempt.cache_read_tokens) &&
      isAmount(attempt.cache_write_tokens) &&
      isAmount(attempt.audio_tokens) &&
      isAmount(attempt.output_tokens) &&
      isAmount(attempt.reasoning_tokens) &&
      isAmount(attempt.nano_usd ?? 0)));

const noCharges: readonly RecordedCharge[] = [];

/**
 * Creates a function that converts postings to records. It throws, with a sentence, if an amount is not a whole number, or is
 * absurd.
 */
export const createRecords = (): ((posting: Posting<LedgerEntry>) => LedgerRecord) => {
  const facts = new TextTree<Facts>(({ metadata, model }) => metadata.length + model.length);
  const counters = new TextTree<Counter>(({ bucket }) => bucket.length);

  const factsFor = (entry: LedgerEntry): Facts => {
    const { usage, metadata } = entry;
    let branch = facts.root.at(entry.organisation).at(entry.workspace).at(entry.key).at(plainKey(entry.config));
    branch = branch.at(plainKey(entry.prompt)).at(plainText(entry.provider)).at(plainKey(entry.slug));
    branch = branch.at(plainText(entry.model)).at(plainText(usage.model)).at(usage.kind).at(plainKey(usage.tier));
    branch = branch.at(plainKey(usage.cost?.prices));
    for (const name in metadata) branch = branch.at(name).at(metadata[name]);
    return branch.value ?? facts.valueAt(branch, () => toFacts(entry));
  };
  const toCharge = ({ policy, bucket, unit, amount, window }: PostedCharge): RecordedCharge => {
    const branch = counters.root.at(policy).at(bucket).at(unit);
    const counter = branch.value ?? counters.valueAt(branch, () => ({ policy, bucket: storedText(bucket), unit }));
    return { counter, amount, window };
  };

  return (posting) => {
    const { id, entry } = posting;
    const { at } = entry;
    const charges = posting.charges.length === 0 ? noCharges : posting.charges.map(toCharge);
    const record: LedgerRecord =
      entry.isAttempt === false
        ? { id, at, charges }
        : { id, at, charges, attempt: toAttempt(posting, factsFor(entry)) };
    if (!isWhole(record)) throw new RangeError('It has amounts that are not whole numbers, or that are absurd.');
    return record;
  };
};
