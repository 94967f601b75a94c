import type { Json } from '../../../schema/json.ts';
import { fromPointer, type JsonPointer } from '../../../schema/pointer.ts';
import { withValues } from '../../../schema/with-values.ts';
import type { StoredValue } from '../saved/kept-secrets.ts';
import { valueAt } from '../saved/value-at.ts';
import type { SealedByPlace } from '../secrets/keep-sealed.ts';
import { placeholderAt } from '../secrets/placeholder.ts';
import type { SealedAt } from '../secrets/seal.ts';
import type { Sealer } from '../secrets/sealer.ts';
import type { GuardrailRow } from '../store/tables.ts';

type Owned = Pick<GuardrailRow, 'id' | 'workspace_id' | 'organisation_id'>;

/** Where the secret at a place in the checks of a guardrail is sealed. */
const placeOf = ({ id, workspace_id, organisation_id }: Owned, pointer: string): SealedAt => ({
  tenant: workspace_id ?? organisation_id,
  table: 'guardrails',
  id,
  field: `checks${pointer}`,
});

/** Seals the secrets of checks, which are texts. */
export const sealChecks = async (
  sealer: Sealer,
  { checks, pointers, row }: { readonly checks: Json; readonly pointers: readonly JsonPointer[]; readonly row: Owned },
): Promise<Pick<GuardrailRow, 'checks' | 'sealed'>> => {
  const sealed = pointers.map(async (pointer) => {
    const secret = valueAt(checks, fromPointer(pointer));
    return [pointer, await sealer.seal(String(secret), placeOf(row, pointer))] as const;
  });
  const placeholders = new Map(pointers.map((pointer) => [pointer, placeholderAt(pointer)]));
  return {
    checks: JSON.stringify(withValues(checks, placeholders)),
    sealed: JSON.stringify(Object.fromEntries(await Promise.all(sealed))),
  };
};

/** The checks of a guardrail as they are stored. */
export const storedChecks = (sealer: Sealer, row: GuardrailRow): StoredValue => ({
  value: JSON.parse(row.checks) as Json,
  sealed: JSON.parse(row.sealed) as SealedByPlace,
  async open(value, sealed) {
    const opened = Object.entries(sealed).map(async ([pointer, each]) => {
      return [pointer as JsonPointer, await sealer.open(each, placeOf(row, pointer))] as const;
    });
    return withValues(value, new Map(await Promise.all(opened)));
  },
});
