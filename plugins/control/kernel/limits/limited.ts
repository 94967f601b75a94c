import { fromJson } from '../../../../schema/json/from-json.ts';
import type { IntegrationRow, KeyRow, ProviderRow, WorkspaceRow } from '../store/tables/tables.ts';
import type { OwnLimits } from './own-limits.ts';
import { byKey, bySlugs, type Limited } from './own-policies.ts';

export const limitedKey = ({ id, name, limits }: Pick<KeyRow, 'id' | 'name' | 'limits'>): Limited => ({
  ...{ id, name: `key ${name}`, limits },
  conditions: byKey(id),
});

export const limitedWorkspace = ({ id, name, limits }: Pick<WorkspaceRow, 'id' | 'name' | 'limits'>): Limited => ({
  ...{ id, name: `workspace ${name}`, limits, conditions: [] },
});

export const limitedProvider = ({
  id,
  kind,
  slug,
  limits,
}: Pick<ProviderRow, 'id' | 'kind' | 'slug' | 'limits'>): Limited => ({
  ...{ id, name: `${kind === 'provider' ? 'provider' : 'virtual key'} ${slug}`, limits },
  conditions: bySlugs([slug]),
});

/** The limits of an integration in each workspace, by the id of that. */
export interface WorkspaceLimits {
  readonly [workspace: string]: OwnLimits;
}

/** Reads stored limits. The store has only what the rules let in. */
export const storedWorkspaceLimits = (text: string | null): WorkspaceLimits =>
  text === null ? {} : (fromJson(text) as WorkspaceLimits);

/** An integration in a workspace, and the slugs of all providers there that use it. */
export const limitedIntegration = (
  {
    id,
    name,
    workspace_limits,
    workspace_id,
  }: Pick<IntegrationRow, 'id' | 'name' | 'workspace_limits'> & { readonly workspace_id: string },
  slugs: readonly string[],
): Limited => {
  const limits = storedWorkspaceLimits(workspace_limits)[workspace_id];
  return {
    ...{ id: `${id}/${workspace_id}`, name: `integration ${name}` },
    limits: limits === undefined ? null : JSON.stringify(limits),
    conditions: bySlugs(slugs),
  };
};
