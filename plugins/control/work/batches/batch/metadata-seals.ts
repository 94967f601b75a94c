import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { SealedAt } from '../../../kernel/secrets/seal.ts';
import type { Sealer } from '../../../kernel/secrets/sealer.ts';

/** A row that has the metadata of a batch. */
export interface MetadataAt extends Pick<SealedAt, 'tenant' | 'id'> {
  readonly table: 'batches' | 'provider_batches';
}

/** Seals the metadata of batches, which users write, with their workspace's key. */
export interface MetadataSeals {
  /** What the column has. Not to be called inside `Store.write`. */
  seal(metadata: JsonObject | null | undefined, at: MetadataAt): Promise<string | null>;
  open(column: string | null, at: MetadataAt): Promise<JsonObject | undefined>;
}

const field = 'metadata';

export const createMetadataSeals = (sealer: Pick<Sealer, 'seal' | 'open'>): MetadataSeals => ({
  async seal(metadata, at) {
    if (metadata === null || metadata === undefined) return null;
    return JSON.stringify(await sealer.seal(JSON.stringify(metadata), { ...at, field }));
  },
  open: async (column, at) =>
    column === null ? undefined : parseObject(await sealer.open(fromJson(column), { ...at, field })),
});
