import { fromJson } from '../../../../schema/json/from-json.ts';
import { storedWorkspaceLimits } from '../../kernel/limits/limited.ts';
import { countRows, type Reading } from '../../kernel/records/records.ts';
import { conflict, refuse } from '../../kernel/requests/refusals.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { ResourceCaller } from '../../kernel/resource/ownership.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { IntegrationRow } from '../../kernel/store/tables/tables.ts';
import type { DestinationBody } from '../destinations/destination-body.ts';
import { sealDestination } from '../destinations/seal-destination.ts';
import { shownDestination } from '../destinations/stored-credential.ts';
import { type Grants, grantColumns, workspaceProblems } from './integration-grants.ts';
import { changedWorkspaceLimits, shownWorkspaceLimits, workspaceLimitsFaults } from './integration-limits.ts';

/** The workspaces of an organisation, by their ids and their slugs. */
const workspacesByName = async (db: Reading, organisation: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'slug'])
    .where('organisation_id', '=', organisation)
    .execute();
  return new Map([...rows.map(({ id, slug }) => [slug, id] as const), ...rows.map(({ id }) => [id, id] as const)]);
};

const modelMembers: readonly string[] = ['models', 'allow_all_models'];

/** Seals what an integration calls, and makes columns of what it grants. */
export const prepareIntegration = async (
  parts: ResourceParts,
  { caller, body, row, before, problems }: Writes<IntegrationRow, DestinationBody & Grants>,
): Promise<Prepared<IntegrationRow>> => {
  const { store, now } = parts;
  const { organisation } = caller;
  const { models, workspaces, workspace_limits } = body;
  const ids =
    workspaces || workspace_limits ? await workspacesByName(store.db, organisation) : new Map<string, string>();
  const limits = workspace_limits ?? [];
  const found = [...problems, ...workspaceProblems(body, ids), ...workspaceLimitsFaults(limits, ids)];
  const isOfModels = models !== undefined && Object.keys(body).every((name) => modelMembers.includes(name));
  // What it calls stays as it was validated where a change is of its models alone.
  if (isOfModels && before !== undefined) refuse(found);
  const called =
    isOfModels && before !== undefined
      ? {}
      : await sealDestination(parts, {
          ...{ body, before, problems: found },
          owner: { tenant: organisation, table: 'integrations', id: row.id },
        });
  const limitsBefore = before?.workspace_limits ?? null;
  return {
    columns: {
      ...called,
      // Who lists models means these.
      ...(before === undefined && { models: '[]', allow_all_models: models === undefined ? 1 : 0, workspaces: null }),
      ...grantColumns(body, ids),
      workspace_limits:
        workspace_limits === undefined
          ? limitsBefore
          : changedWorkspaceLimits(limits, { ids, before: limitsBefore, now: now() }),
    },
    async check(db, after) {
      const { id, provider, updated_at } = after;
      await db
        .updateTable('providers')
        .set({ provider, updated_at })
        .where('integration_id', '=', id)
        .where('provider', '!=', provider)
        .execute();
      if (before === undefined) return;
      // Those who follow the limits of a workspace follow those that it has in an integration.
      const limited = [before, after].flatMap((each) => Object.keys(storedWorkspaceLimits(each.workspace_limits)));
      for (const workspace of new Set(limited)) await store.bump(db, 'policies', workspace);
    },
  };
};

/** Throws the `GatewayError` `conflict` while providers, of any workspace, use the integration. */
export const refuseUsedIntegration = async ({ id, slug }: IntegrationRow, db: Writing): Promise<void> => {
  const count = await countRows(db.selectFrom('providers').where('integration_id', '=', id));
  if (count > 0)
    throw conflict(
      `The integration "${slug}" has ${count === 1 ? 'a provider' : `${count} providers`}.`,
      'Delete its providers in all workspaces first.',
    );
};

/** What a caller sees beside the members: of the workspaces of an integration, those that it reaches. */
export const showIntegrations = (
  rows: readonly IntegrationRow[],
  { parts, caller }: { readonly parts: ResourceParts; readonly caller: ResourceCaller },
): readonly object[] => {
  const isReached = (workspace: string): boolean => caller.reach === 'organisation' || workspace === caller.tenant;
  return rows.map((row) => ({
    ...shownDestination(row),
    allow_all_models: row.allow_all_models === 1,
    workspaces: row.workspaces === null ? null : (fromJson(row.workspaces) as readonly string[]).filter(isReached),
    workspace_limits: shownWorkspaceLimits(row.workspace_limits, parts.now()).filter(({ workspace_id }) =>
      isReached(workspace_id),
    ),
  }));
};
