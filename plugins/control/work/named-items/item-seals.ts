import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { ItemsOwner } from '../../../sdk/control-plane/stored-items.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import { SecretError } from '../../kernel/secrets/secret-error.ts';
import type { NamedItemRow } from '../../kernel/store/tables/tables.ts';

interface ItemPlace extends ItemsOwner {
  readonly id: string;
}

/** Seals items, each for its owner and its id. Both reject with a `StoreError` where the store is unavailable. */
export interface ItemSeals {
  /** Undefined where nothing can be sealed, as without a master key. */
  seal(place: ItemPlace, text: string): Promise<string | undefined>;
  /** Undefined if it does not open. */
  open(place: ItemPlace, row: Pick<NamedItemRow, 'item'>): Promise<JsonObject | undefined>;
}

const sealedAt = ({ tenant, owner, id }: ItemPlace): SealedAt => ({
  tenant,
  table: 'named_items',
  id: `${owner} ${id}`,
  field: 'item',
});

const unlessSecret = (error: unknown): undefined => {
  if (!(error instanceof SecretError)) throw error;
};

export const createItemSeals = (sealer: Pick<Sealer, 'seal' | 'open'>): ItemSeals => ({
  seal: (place, text) => sealer.seal(text, sealedAt(place)).then((sealed) => JSON.stringify(sealed), unlessSecret),
  open: (place, { item }) => sealer.open(fromJson(item), sealedAt(place)).then(parseObject, unlessSecret),
});
