import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import type { SealedAt } from '../../../kernel/secrets/seal.ts';
import type { Sealer } from '../../../kernel/secrets/sealer.ts';
import type { ResponseRow } from '../../../kernel/store/tables/tables.ts';
import type { StoredResponse } from './stored-response.ts';

type Field = 'response' | 'input' | 'request';

const toMaker = ({ slug, scope }: ResponseRow): Pick<StoredResponse, 'maker'> =>
  scope === null ? {} : { maker: slug === null ? { scope } : { slug, scope } };

/** Seals what is kept of responses, each column for its own place. */
export interface ResponseSeals {
  seal(
    at: { readonly tenant: string; readonly id: string; readonly field: Field | `event ${number}` },
    text: string,
  ): Promise<string>;
  /** A column of a row that has it. */
  open(row: Pick<ResponseRow, 'workspace_id' | 'id' | Field>, field: Field): Promise<Json>;
  openEvents(
    at: { readonly tenant: string; readonly id: string; readonly number: number },
    sealed: string,
  ): Promise<readonly JsonObject[]>;
  response(row: ResponseRow): Promise<StoredResponse>;
}

export const createResponseSeals = (sealer: Sealer): ResponseSeals => {
  const place = ({ tenant, id, field }: Omit<SealedAt, 'table'>): SealedAt => ({
    tenant,
    table: 'responses',
    id,
    field,
  });

  const open = async (row: Pick<ResponseRow, 'workspace_id' | 'id' | Field>, field: Field): Promise<Json> => {
    const at = place({ tenant: row.workspace_id, id: row.id, field });
    return fromJson(await sealer.open(fromJson(row[field] ?? 'null'), at)) as Json;
  };

  return {
    seal: async (at, text) => JSON.stringify(await sealer.seal(text, place(at))),
    open,
    openEvents: async ({ tenant, id, number }, sealed) =>
      fromJson(await sealer.open(fromJson(sealed), place({ tenant, id, field: `event ${number}` }))),
    response: async (row) => ({
      id: row.id,
      // The store has only what was put there.
      response: (await open(row, 'response')) as JsonObject,
      input: await open(row, 'input'),
      isNative: row.is_native === 1,
      isBackground: row.request !== null,
      ...toMaker(row),
    }),
  };
};
