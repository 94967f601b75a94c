import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import {
  byNames,
  byReference,
  type SavedParts,
  type SealedSecret,
  savedRef,
} from '../../kernel/records/saved-parts.ts';
import { literalAt } from '../../kernel/secrets/literals.ts';
import type { Sealed } from '../../kernel/secrets/seal.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import { placeOfChecks } from './guardrail-secrets.ts';
import { guardrailValue, type ReferringCheck } from './guardrail-value.ts';

interface Named {
  readonly row: GuardrailRow;
  readonly value: JsonObject;
  readonly secrets: readonly SealedSecret[];
}

const toNamed = (row: GuardrailRow): Named => {
  const sealed = Object.entries(fromJson(row.sealed) as { readonly [pointer: string]: Sealed });
  const secrets = sealed.map(([pointer, each]) => ({
    pointer: pointer as JsonPointer,
    sealed: each,
    at: literalAt(placeOfChecks(row), pointer),
    isJson: true,
  }));
  const references = new Map(secrets.map(({ pointer, at }) => [pointer, savedRef(at)] as const));
  const checks = withValues(fromJson(row.checks), references) as unknown as readonly ReferringCheck[];
  const value = guardrailValue(row.slug, { checks, actions: fromJson(row.actions) as JsonObject });
  return { row, value, secrets };
};

/** The guardrails that a workspace can name: its own, then those of its organisation. Results show each by its slug. */
export const toGuardrailParts = (rows: readonly GuardrailRow[]): SavedParts<'guardrails'> => {
  const ofOrganisation = rows.filter(({ workspace_id }) => workspace_id === null);
  const own = rows.filter(({ workspace_id }) => workspace_id !== null);
  const named = [...ofOrganisation, ...own].map(toNamed);
  return {
    guardrails: byNames(named.map(({ row, value }) => ({ id: row.id, slug: row.slug, value }))),
    secrets: byReference(named.flatMap(({ secrets }) => secrets)),
  };
};
