import type { PostedCharge, Posting } from '../limits/limits.ts';
import { type Listed, type UsageValues, usageOfValues, usageValues } from '../store/usage-values.ts';
import type { LedgerEntry } from './entry.ts';

type ChargeValues = readonly [
  policy: string,
  bucket: string,
  unit: PostedCharge['unit'],
  amount: number,
  window: number,
];

/** A posting without the names of its members: as JSON it is shorter, and takes less time to write and to read. */
export type PostingValues = readonly [
  id: string,
  corrects: Listed<string>,
  charges: readonly ChargeValues[],
  at: number,
  trace: string,
  organisation: string,
  workspace: string,
  key: Listed<string>,
  config: Listed<string>,
  prompt: Listed<string>,
  provider: string,
  slug: Listed<string>,
  model: string,
  metadata: LedgerEntry['metadata'],
  isFirst: boolean,
  isAttempt: Listed<boolean>,
  usage: UsageValues,
];

const chargeValues = ({ policy, bucket, unit, amount, window }: PostedCharge): ChargeValues => [
  policy,
  bucket,
  unit,
  amount,
  window,
];

export const postingValues = ({ id, corrects, charges, entry }: Posting<LedgerEntry>): PostingValues => [
  id,
  corrects,
  charges.map(chargeValues),
  entry.at,
  entry.trace,
  entry.organisation,
  entry.workspace,
  entry.key,
  entry.config,
  entry.prompt,
  entry.provider,
  entry.slug,
  entry.model,
  entry.metadata,
  entry.isFirst,
  entry.isAttempt,
  usageValues(entry.usage),
];

/** The posting that the values were made of. */
export const postingOfValues = ([
  id,
  corrects,
  charges,
  at,
  trace,
  organisation,
  workspace,
  key,
  config,
  prompt,
  provider,
  slug,
  model,
  metadata,
  isFirst,
  isAttempt,
  usage,
]: PostingValues): Posting<LedgerEntry> => ({
  id,
  ...(typeof corrects === 'string' ? { corrects } : {}),
  charges: charges.map(([policy, bucket, unit, amount, window]) => ({ policy, bucket, unit, amount, window })),
  entry: {
    ...{ at, trace, organisation, workspace, provider, model, metadata, isFirst },
    key: key ?? undefined,
    config: config ?? undefined,
    prompt: prompt ?? undefined,
    slug: slug ?? undefined,
    isAttempt: isAttempt ?? undefined,
    usage: usageOfValues(usage),
  },
});
