import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { SealedAt } from '../../../kernel/secrets/seal.ts';
import type { Sealer } from '../../../kernel/secrets/sealer.ts';

/** A row that has the metadata of a batch. */
interface MetadataAt extends Pick<SealedAt, 'tenant' | 'id'> {
  readonly table: 'batches' | 'provider_batches';
}

const field = 'metadata';

/**
 * Seals the metadata of a batch, which users write, with their workspace's key, for the column of a row. Not to be called inside
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
