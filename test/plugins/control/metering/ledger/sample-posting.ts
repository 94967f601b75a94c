import type { LedgerWriter } from '../../../../../plugins/control/metering/ledger/ledger-writer.ts';
import type { LedgerEntry, PostedCharge, Posting } from '../../../../../plugins/control/metering/ledger/posting.ts';
import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';

/** 2026-01-05T10:00:00Z, a Monday. */
export const monday: number = Date.UTC(2026, 0, 5, 10);

export const toUsage = (usage: Partial<UsageRecord> = {}): UsageRecord => ({
  kind: 'reported',
  model: 'gpt-4o-2024-08-06',
  input: { total: 100, cacheRead: 40 },
  output: { total: 20, reasoning: 5 },
  cost: { nanoUsd: 1500, prices: 'genai-prices' },
  ...usage,
});

export const toEntry = (entry: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at: monday,
  trace: 'trace',
  organisation: 'organisation',
  workspace: 'workspace',
  key: 'key',
  config: 'prod',
  provider: 'openai',
  model: 'gpt-4o',
  metadata: { _user: 'ada' },
  isFirst: true,
  usage: toUsage(),
  ...entry,
});

export const toCharge = (charge: Partial<PostedCharge> = {}): PostedCharge => ({
  policy: 'policy',
  bucket: 'ada',
  unit: 'tokens',
  amount: 120,
  window: 0,
  ...charge,
});

export const toPosting = (posting: Partial<Posting<LedgerEntry>> & { readonly id: string }): Posting<LedgerEntry> => ({
  charges: [toCharge()],
  entry: toEntry(),
  ...posting,
});

/** Posts the postings in order. */
export const postAll = ({ behind }: Pick<LedgerWriter, 'behind'>, postings: readonly Posting<LedgerEntry>[]): void => {
  for (const posting of postings) behind.take(posting);
};
