import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import { readEach } from '../../kernel/records/read-each.ts';
import { byReference, indexBySlugAndId, type SavedParts, savedRef } from '../../kernel/records/saved-parts.ts';
import { literalAt, type SealedByPlace, type StoredValue, sealLiterals } from '../../kernel/secrets/literals.ts';
import type { SealedAt } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { GuardrailRow } from '../../kernel/store/tables.ts';

/** A check of a saved guardrail, with references in place of its secrets. */
export interface ReferringCheck {
  readonly id: string;
  readonly parameters?: JsonObject;
}

/**
 * Returns a saved guardrail in the form that configs are compiled with. Results show it by its slug, and its checks keep their
 * order.
 */
export const guardrailValue = (
  slug: string,
  { checks, actions }: { readonly checks: readonly ReferringCheck[]; readonly actions: JsonObject },
): JsonObject => ({
  id: slug,
  ...actions,
  ...Object.fromEntries(
    checks.map(({ id, parameters }, index) => [`check-${String(index).padStart(3, '0')}`, { ...parameters, id }]),
  ),
});

type Owned = Pick<GuardrailRow, 'id' | 'workspace_id' | 'organisation_id'>;

/** Returns the place for which the secrets in the checks of a guardrail are sealed. */
export const placeOfChecks = ({ id, workspace_id, organisation_id }: Owned): SealedAt => ({
  tenant: workspace_id ?? organisation_id,
  table: 'guardrails',
  id,
  field: 'checks',
});

/** Returns the columns of checks whose secrets are at these places. */
export const sealChecks = async (
  sealer: Sealer,
  { checks, pointers, row }: { readonly checks: Json; readonly pointers: readonly JsonPointer[]; readonly row: Owned },
): Promise<Pick<GuardrailRow, 'checks' | 'sealed'>> => {
  const { text, sealed } = await sealLiterals(sealer, { value: checks, pointers, at: placeOfChecks(row) });
  return { checks: text, sealed: JSON.stringify(sealed) };
};

/** Reads the checks of a guardrail as they are stored. */
export const storedChecks = (row: GuardrailRow): StoredValue => ({
  value: fromJson(row.checks) as Json,
  sealed: fromJson(row.sealed) as SealedByPlace,
  at: placeOfChecks(row),
});

const toNamed = (row: GuardrailRow) => {
  const secrets = Object.entries(fromJson(row.sealed) as SealedByPlace).map(([pointer, each]) => ({
    pointer: pointer as JsonPointer,
    sealed: each,
    at: literalAt(placeOfChecks(row), pointer),
    isJson: true,
  }));
  const references = new Map(secrets.map(({ pointer, at }) => [pointer, savedRef(at)] as const));
  const checks = withValues(fromJson(row.checks), references) as unknown as readonly ReferringCheck[];
  return { row, secrets, value: guardrailValue(row.slug, { checks, actions: fromJson(row.actions) as JsonObject }) };
};

/** Lists the guardrails that a workspace can name: its own, then those of its organisation. Results show each by its slug. */
export const toGuardrailParts = (
  rows: readonly GuardrailRow[],
  reportUnreadable: (row: GuardrailRow) => void = () => {},
): SavedParts<'guardrails'> => {
  // Names in the workspace take precedence over those in its organisation.
  const named = readEach(
    [
      ...rows.filter(({ workspace_id }) => workspace_id === null),
      ...rows.filter(({ workspace_id }) => workspace_id !== null),
    ],
    (row) => [toNamed(row)],
    reportUnreadable,
  );
  return {
    guardrails: indexBySlugAndId(named.map(({ row, value }) => ({ id: row.id, slug: row.slug, value }))),
    secrets: byReference(named.flatMap(({ secrets }) => secrets)),
  };
};
