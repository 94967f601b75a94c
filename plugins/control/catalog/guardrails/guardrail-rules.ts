import { describeUses } from '../../kernel/records/describe-uses.ts';
import { conflict, refuse } from '../../kernel/requests/refusals.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import { sealChecks, storedChecks } from './guardrail-secrets.ts';
import { refuseBrokenUses } from './refuse-broken-uses.ts';
import { usesOfGuardrail } from './uses-of-guardrail.ts';
import { type GuardrailCheck, validateGuardrail } from './validate-guardrail.ts';

/** Compiles and seals checks that are new. Other checks must run wherever the guardrail is named, or nothing is changed. */
export const prepareChecks = async (
  parts: ResourceParts,
  {
    caller,
    body: { checks },
    row,
    before,
    problems,
  }: Writes<GuardrailRow, { readonly checks?: readonly GuardrailCheck[] }>,
): Promise<Prepared<GuardrailRow>> => {
  refuse(problems);
  if (checks === undefined) return {};
  const stored = before && storedChecks(before);
  const validated = await validateGuardrail(parts, { tenant: caller.tenant, slug: row.slug, checks, before: stored });
  const { secretPlaces: pointers, faults } = validated;
  return {
    columns: await sealChecks(parts.sealer, { checks: validated.checks, pointers, row }),
    check: async (db) => (before === undefined ? undefined : refuseBrokenUses(db, row, faults)),
  };
};

/** Throws the `GatewayError` `conflict` while something names the guardrail. */
export const refuseUsed = async (row: GuardrailRow, db: Writing): Promise<void> => {
  const uses = await usesOfGuardrail(db, row);
  if (uses.length > 0)
    throw conflict(`The guardrail "${row.slug}" is named by ${describeUses(uses)}.`, 'Take it out there first.');
};
