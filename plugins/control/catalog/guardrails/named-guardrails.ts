import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { Reading } from '../../kernel/records/records.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';

/** Returns the names that are neither the slug nor the id of a visible guardrail. */
export const missingGuardrails = async (
  db: Reading,
  { tenant, organisation }: RequestScope,
  names: readonly string[],
): Promise<readonly string[]> => {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('guardrails')
    .select(['id', 'slug'])
    .where('organisation_id', '=', organisation)
    .where((where) => where.or([where('workspace_id', '=', tenant), where('workspace_id', 'is', null)]))
    .where((where) => where.or([where('slug', 'in', names), where('id', 'in', names)]))
    .execute();
  const known = new Set(rows.flatMap(({ id, slug }) => [id, slug]));
  return names.filter((name) => !known.has(name));
};

const lists = {
  input: ['input_guardrails', 'before_request_hooks'],
  output: ['output_guardrails', 'after_request_hooks'],
} as const;

/** The members of an item that overrides parts of a saved guardrail. An item with any other member has checks of its own. */
const overlaid: ReadonlySet<string> = new Set(['id', 'type', 'deny', 'async', 'on_fail', 'on_success']);

const namedBy = (item: Json): readonly string[] => {
  if (typeof item === 'string') return [item];
  if (!isJsonObject(item) || typeof item.id !== 'string') return [];
  return Object.keys(item).every((member) => overlaid.has(member)) ? [item.id] : [];
};

const readItems = (list: Json | undefined): readonly Json[] => (Array.isArray(list) ? list : []);

/**
 * Lists the saved guardrails that a config, or the settings of a workspace or an organisation, name for these phases, at any
 * depth, by slug or id. The list may contain duplicates.
 */
export const namedGuardrails = (
  config: Json,
  phases: readonly CheckPhase[] = ['input', 'output'],
): readonly string[] => {
  if (!isJsonObject(config)) return [];
  return [
    ...phases.flatMap((phase) => lists[phase].flatMap((list) => readItems(config[list]).flatMap(namedBy))),
    ...readItems(config.targets).flatMap((target) => namedGuardrails(target, phases)),
  ];
};

/** Lists the checks that the mirrors of a config name, at any depth: saved guardrails, or checks by their ids. */
export const namedByMirrors = (config: Json): readonly string[] => {
  if (!isJsonObject(config)) return [];
  const { mirror, targets } = config;
  const own = isJsonObject(mirror) ? readItems(mirror.checks).flatMap(namedBy) : [];
  return [...own, ...readItems(targets).flatMap(namedByMirrors)];
};
