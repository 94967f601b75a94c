import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { nanoPerUsd, type UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { SealedAt } from '../../../kernel/secrets/seal.ts';
import type { Sealer } from '../../../kernel/secrets/sealer.ts';
import type { UsedColumns } from '../../../kernel/store/tables.ts';

/** Final statuses. */
export const endStatuses = ['failed', 'completed', 'expired', 'cancelled'] as const;

/** All statuses that a batch may have. */
export const batchStatuses = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const;

/** The times that a batch may have. */
export const timeNames = [
  'in_progress_at',
  'finalizing_at',
  'completed_at',
  'failed_at',
  'expires_at',
  'expired_at',
  'cancelling_at',
  'cancelled_at',
] as const;

export const isOver = ({ status }: { readonly status?: Json | undefined }): boolean =>
  endStatuses.some((each) => each === status);

/** The row that stores the metadata of a batch. */
interface MetadataAt extends Pick<SealedAt, 'tenant' | 'id'> {
  readonly table: 'batches' | 'provider_batches';
}

const field = 'metadata';

/**
 * Seals the metadata of a batch, which users write, with their workspace's key, for a column of a row. Must not be called inside
 * `Store.write`.
 */
export const sealMetadata = async (
  sealer: Pick<Sealer, 'seal'>,
  metadata: JsonObject | null | undefined,
  at: MetadataAt,
): Promise<string | null> =>
  metadata ? JSON.stringify(await sealer.seal(JSON.stringify(metadata), { ...at, field })) : null;

export const openMetadata = async (
  sealer: Pick<Sealer, 'open'>,
  column: string | null,
  at: MetadataAt,
): Promise<JsonObject | undefined> =>
  column === null ? undefined : parseObject(await sealer.open(fromJson(column), { ...at, field }));

/** Returns the members of a batch that report its usage and cost. */
export const usageView = (row: UsedColumns): JsonObject => ({
  usage: {
    input_tokens: row.input_tokens,
    input_tokens_details: { cached_tokens: row.cached_tokens },
    output_tokens: row.output_tokens,
    output_tokens_details: { reasoning_tokens: row.reasoning_tokens },
    total_tokens: row.input_tokens + row.output_tokens,
  },
  cost: row.nano_usd / nanoPerUsd,
});

export const nothingUsed: UsedColumns = {
  ...{ input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, nano_usd: 0 },
};

/** Adds the usage of an attempt. */
export const addUsed = (sum: UsedColumns, { input, output, cost }: UsageRecord): UsedColumns => ({
  input_tokens: sum.input_tokens + input.total,
  cached_tokens: sum.cached_tokens + (input.cacheRead ?? 0),
  output_tokens: sum.output_tokens + output.total,
  reasoning_tokens: sum.reasoning_tokens + (output.reasoning ?? 0),
  nano_usd: sum.nano_usd + (cost?.nanoUsd ?? 0),
});
