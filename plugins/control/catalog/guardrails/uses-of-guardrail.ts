import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { CheckPhase } from '../../../../schema/trail/trail.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import { namedGuardrails } from './named-guardrails.ts';

/**
 * What names a guardrail for these phases, as words: the newest versions of configs, and the defaults of workspaces and, where
 * it is the organisation's, of that. For both phases if none are given.
 */
export const usesOfGuardrail = async (
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
