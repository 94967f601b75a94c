import type { Json } from '../../../schema/json.ts';
import type { Writing } from '../store/store.ts';
import type { GuardrailRow } from '../store/tables.ts';
import { namedGuardrails } from './named-guardrails.ts';

interface DefaultGuardrails {
  readonly input_guardrails?: readonly string[];
  readonly output_guardrails?: readonly string[];
}

const namedIn = (settings: string, names: readonly string[]): boolean => {
  const { input_guardrails: input = [], output_guardrails: output = [] } = JSON.parse(settings) as DefaultGuardrails;
  return [...input, ...output].some((name) => names.includes(name));
};

/** What names a guardrail, as words: the newest versions of configs, and the defaults of workspaces and the organisation. */
export const usesOfGuardrail = async (
  writing: Writing,
  { id, slug, workspace_id, organisation_id }: GuardrailRow,
): Promise<readonly string[]> => {
  const names = [id, slug];
  const organisation = await writing
    .selectFrom('organisations')
    .select('settings')
    .where('id', '=', organisation_id)
    .executeTakeFirst();
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
    .where((where) => where.or(names.map((name) => where('config_versions.text', 'like', `%"${name}"%`))))
    .orderBy('configs.id')
    .execute();
  return [
    ...(organisation !== undefined && namedIn(organisation.settings, names)
      ? ['the defaults of the organisation']
      : []),
    ...workspaces
      .filter(({ settings }) => namedIn(settings, names))
      .map((workspace) => `the defaults of the workspace "${workspace.slug}"`),
    ...configs
      .filter(({ text }) => namedGuardrails(JSON.parse(text) as Json).some((name) => names.includes(name)))
      .map((config) => `the config "${config.slug}"`),
  ];
};
