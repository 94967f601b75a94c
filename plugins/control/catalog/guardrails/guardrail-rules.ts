import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import { conflict, describeUses, refuse } from '../../kernel/requests/refusals.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import { namedGuardrails } from './named-guardrails.ts';
import { sealChecks, storedChecks } from './saved-guardrails.ts';
import { type GuardrailCheck, type ValidatedChecks, validateGuardrail } from './validate-guardrail.ts';

/**
 * Lists the records that name a guardrail for these phases, as words: the newest versions of configs, and the defaults
 * of workspaces and, where it is the organisation's, of that. For both phases if none are given.
 */
const usesOfGuardrail = async (
  writing: Writing,
  { id, slug, workspace_id, organisation_id }: GuardrailRow,
  phases?: readonly CheckPhase[],
): Promise<readonly string[]> => {
  const isNamedIn = (text: string): boolean =>
    namedGuardrails(fromJson(text) as Json, phases).some((name) => name === id || name === slug);
  const organisations = await writing
    .selectFrom('organisations')
    .select('settings')
    .where('id', '=', organisation_id)
    .execute();
  const workspaces = await writing
    .selectFrom('workspaces')
    .select(['id', 'slug', 'settings'])
    .where('organisation_id', '=', organisation_id)
    .where((where) => where.and(workspace_id === null ? {} : { id: workspace_id }))
    .orderBy('id')
    .execute();
  const configs = await writing
    .selectFrom('configs')
    .innerJoin('workspaces', 'workspaces.id', 'configs.workspace_id')
    .innerJoin('config_versions', 'config_versions.id', 'configs.version_id')
    .select(['configs.slug', 'config_versions.text'])
    .where('workspaces.organisation_id', '=', organisation_id)
    .where((where) => where.and(workspace_id === null ? {} : { 'configs.workspace_id': workspace_id }))
    // Only those that may name it: `_` in a slug stands for any character here.
    .where((where) => where.or([id, slug].map((name) => where('config_versions.text', 'like', `%"${name}"%`))))
    .orderBy('configs.id')
    .execute();
  return [
    ...organisations
      .filter(({ settings }) => workspace_id === null && isNamedIn(settings))
      .map(() => 'the defaults of the organisation'),
    ...workspaces
      .filter(({ settings }) => isNamedIn(settings))
      .map((workspace) => `the defaults of the workspace "${workspace.slug}"`),
    ...configs.filter(({ text }) => isNamedIn(text)).map((config) => `the config "${config.slug}"`),
  ];
};

const checkedIn = { input: 'requests', output: 'answers' } as const satisfies Record<CheckPhase, string>;

/**
 * Throws the `GatewayError` `invalid-input` if a guardrail is named where its new checks cannot run. What names it is read only
 * where they cannot run somewhere, and is not compiled itself, however much that is.
 */
const refuseBrokenUses = async (
  writing: Writing,
  row: GuardrailRow,
  errors: ValidatedChecks['reasons'],
): Promise<void> => {
  for (const phase of ['input', 'output'] as const) {
    if (errors[phase].length === 0) continue;
    const uses = await usesOfGuardrail(writing, row, [phase]);
    if (uses.length === 0) continue;
    const why = `The guardrail "${row.slug}" is named for ${checkedIn[phase]} by ${describeUses(uses)}, where it would no longer work.`;
    refuse(
      errors[phase].map(({ message, ...problem }) => ({
        ...problem,
        message: `${message} ${why}`,
        hint: 'Take the guardrail out there first, or save these checks as another guardrail.',
      })),
    );
  }
};

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
  const {
    secretPlaces: pointers,
    reasons: errors,
    ...validated
  } = await validateGuardrail(parts, {
    ...{ tenant: caller.tenant, slug: row.slug, checks },
    before: before && storedChecks(before),
  });
  return {
    columns: await sealChecks(parts.sealer, { checks: validated.checks, pointers, row }),
    check: async (db) => (before === undefined ? undefined : refuseBrokenUses(db, row, errors)),
  };
};

/** Throws the `GatewayError` `conflict` while something names the guardrail. */
export const refuseUsed = async (row: GuardrailRow, db: Writing): Promise<void> => {
  const uses = await usesOfGuardrail(db, row);
  if (uses.length > 0)
    throw conflict(`The guardrail "${row.slug}" is named by ${describeUses(uses)}.`, 'Take it out there first.');
};
