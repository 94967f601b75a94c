import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { SealedByPlace } from '../../kernel/secrets/keep-sealed.ts';
import { type StoredValue, sealLiterals } from '../../kernel/secrets/literals.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';

type Owned = Pick<GuardrailRow, 'id' | 'workspace_id' | 'organisation_id'>;

/** Where the secrets in the checks of a guardrail are sealed. */
export const placeOfChecks = ({ id, workspace_id, organisation_id }: Owned): SealedAt => ({
  tenant: workspace_id ?? organisation_id,
  table: 'guardrails',
  id,
  field: 'checks',
});

/** The columns of checks whose secrets are at these places. */
export const sealChecks = async (
  sealer: Sealer,
  { checks, pointers, row }: { readonly checks: Json; readonly pointers: readonly JsonPointer[]; readonly row: Owned },
): Promise<Pick<GuardrailRow, 'checks' | 'sealed'>> => {
  const { text, sealed } = await sealLiterals(sealer, { value: checks, pointers, at: placeOfChecks(row) });
  return { checks: text, sealed: JSON.stringify(sealed) };
};

/** The checks of a guardrail as they are stored. */
export const storedChecks = (row: GuardrailRow): StoredValue => ({
  value: fromJson(row.checks) as Json,
  sealed: fromJson(row.sealed) as SealedByPlace,
  at: placeOfChecks(row),
});
