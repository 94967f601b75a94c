import type { UsageRecord } from '../../../schema/usage-record.ts';
import type { PostedCharge, Posting } from '../limits/limits.ts';
import { keptText } from '../store/kept-text.ts';
import { storableRow } from '../store/storable.ts';
import type { LedgerRow } from '../store/tables.ts';
import type { LedgerEntry } from './entry.ts';

/** A posting as it is written. Without a row it changes counters alone. */
export interface LedgerRecord {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly charges: readonly PostedCharge[];
  readonly row?: LedgerRow;
}

/** The longest name of a model, provider or config that is kept, in characters. */
const longestText = 200;

/** A million million tokens, or a thousand dollars: what is more is a mistake of whoever reported it, and could overflow sums. */
const most = 1e12;

const isAmount = (value: number): boolean => Number.isSafeInteger(value) && Math.abs(value) <= most;

const plainText = (text: string): string => text.slice(0, longestText);

const textOrNull = (text: string | undefined): string | null => (text === undefined ? null : plainText(text));

const sumOf = (counts: UsageRecord['input']['cacheWrite'] = {}): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0);

const toRow = ({ id, entry, corrects }: Posting<LedgerEntry>): LedgerRow => {
  const { usage, metadata } = entry;
  const { input, output, cost } = usage;
  return storableRow<LedgerRow>(
    {
      id,
      at: entry.at,
      trace: plainText(entry.trace),
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
      requests: entry.isFirst ? 1 : 0,
      attempts: 1,
      input_tokens: input.total,
      cache_read_tokens: input.cacheRead ?? 0,
      cache_write_tokens: sumOf(input.cacheWrite),
      audio_tokens: (input.audio ?? 0) + (output.audio ?? 0),
      output_tokens: output.total,
      reasoning_tokens: output.reasoning ?? 0,
      nano_usd: cost === undefined ? null : Math.min(cost.nanoUsd, most),
      prices: textOrNull(cost?.prices),
      metadata: JSON.stringify(metadata),
      corrects: corrects ?? null,
    },
    ['metadata'],
  );
};

const amountsOf = (row: LedgerRow): readonly number[] => [
  ...[row.at, row.input_tokens, row.cache_read_tokens, row.cache_write_tokens, row.audio_tokens],
  ...[row.output_tokens, row.reasoning_tokens, row.nano_usd ?? 0],
];

/** The record of a posting. Throws, with a sentence, if one of its amounts is no whole number, or is absurd. */
export const toRecord = (posting: Posting<LedgerEntry>): LedgerRecord => {
  const row = toRow(posting);
  const { at, ...amounts } = row;
  const charges = posting.charges.map((charge) => ({ ...charge, bucket: keptText(charge.bucket) }));
  const isWhole =
    Number.isSafeInteger(at) &&
    amountsOf({ at: 0, ...amounts }).every(isAmount) &&
    charges.every(({ amount, window }) => isAmount(amount) && Number.isSafeInteger(window));
  if (!isWhole) throw new RangeError('It has amounts that are no whole numbers, or that are absurd.');
  const { id, entry } = posting;
  return entry.isAttempt === false ? { id, at, charges } : { id, at, charges, row };
};
