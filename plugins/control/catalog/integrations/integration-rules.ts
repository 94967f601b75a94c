import { fromJson } from '../../../../schema/json/from-json.ts';
import { storedWorkspaceLimits, type WorkspaceLimits } from '../../kernel/limits/active-policies.ts';
import {
  changedLimits,
  type OwnLimitsBody,
  ownLimitsErrors,
  shownLimits,
  storedLimits,
} from '../../kernel/limits/own-limits.ts';
import { countRows, type Reading } from '../../kernel/records/records.ts';
import { showRows } from '../../kernel/records/show-rows.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { conflict, refuse } from '../../kernel/requests/refusals.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { ResourceCaller } from '../../kernel/resource/ownership.ts';
import type { StoredSecret } from '../../kernel/secrets/compare-secrets.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { IntegrationRow } from '../../kernel/store/tables.ts';
import type { CredentialOwner } from '../destinations/destination.ts';
import type { DestinationBody } from '../destinations/destination-body.ts';
import { destinationWarnings } from '../destinations/destination-warnings.ts';
import { destinationSecrets, sealDestination, shownDestination } from '../destinations/stored-credential.ts';
import type { IntegrationModel } from './integration-models.ts';

/** The limits that the providers of one workspace share for an integration. */
interface WorkspaceLimitsBody extends OwnLimitsBody {
  /** An id or a slug. */
  readonly workspace_id: string;
}

/** Lists the errors of the limits of workspaces; `ids` contains the workspaces of the organisation, by id and slug. */
const workspaceLimitsErrors = (
  bodies: readonly WorkspaceLimitsBody[],
  ids: ReadonlyMap<string, string>,
): readonly Problem[] =>
  bodies.flatMap((body, at) => {
    const place = ['workspace_limits', at] as const;
    const id = ids.get(body.workspace_id);
    const first = bodies.findIndex((other) => id !== undefined && ids.get(other.workspace_id) === id);
    return [
      ...(id === undefined
        ? [
            problem(
              [...place, 'workspace_id'],
              `The organisation has no workspace "${body.workspace_id}".`,
              'Write the id or the slug of one: GET /v1/workspaces lists them.',
            ),
          ]
        : []),
      ...(id !== undefined && first !== at
        ? [problem([...place, 'workspace_id'], 'This workspace is listed twice.', 'Leave one of the two out.')]
        : []),
      ...ownLimitsErrors(body, place),
    ];
  });

/** Returns the limits of workspaces, replacing the previous ones, as they are stored; null if none remain. */
const changedWorkspaceLimits = (
  bodies: readonly WorkspaceLimitsBody[],
  {
    ids,
    before,
    now,
  }: { readonly ids: ReadonlyMap<string, string>; readonly before: string | null; readonly now: number },
): string | null => {
  const stored = storedWorkspaceLimits(before);
  const after: WorkspaceLimits = Object.fromEntries(
    bodies.flatMap((body) => {
      const id = ids.get(body.workspace_id);
      if (id === undefined) return [];
      // All limits are replaced. Only the day from which they are counted stays.
      const changed = changedLimits(
        { rate_limits: body.rate_limits ?? null, usage_limits: body.usage_limits ?? null },
        { before: stored[id] === undefined ? null : JSON.stringify(stored[id]), now },
      );
      return changed === null ? [] : [[id, storedLimits(changed)]];
    }),
  );
  return Object.keys(after).length === 0 ? null : JSON.stringify(after);
};

/** Returns the limits of workspaces as they are shown at a time (milliseconds since the epoch). */
const shownWorkspaceLimits = (text: string | null, now: number) =>
  Object.entries(storedWorkspaceLimits(text)).map(([workspace_id, limits]) => ({
    workspace_id,
    ...shownLimits(JSON.stringify(limits), now),
  }));

/** The workspaces that may use an integration, and its models. */
interface Grants {
  readonly models?: readonly IntegrationModel[];
  readonly allow_all_models?: boolean;
  /** The ids or slugs of the workspaces that may use it; null for all. */
  readonly workspaces?: readonly string[] | null;
  /** The limits that the providers of single workspaces share, replacing the stored ones; null removes all of them. */
  readonly workspace_limits?: readonly WorkspaceLimitsBody[] | null;
}

/** Returns the columns for what a body grants; `ids` contains the workspaces of the organisation, by id and slug. */
const grantColumns = (
  { models, allow_all_models, workspaces }: Grants,
  ids: ReadonlyMap<string, string>,
): Partial<IntegrationRow> => ({
  ...(models !== undefined && { models: JSON.stringify(models) }),
  ...(allow_all_models !== undefined && { allow_all_models: allow_all_models ? 1 : 0 }),
  ...(workspaces !== undefined && {
    workspaces: workspaces === null ? null : JSON.stringify([...new Set(workspaces.map((name) => ids.get(name)))]),
  }),
});

/** Lists the workspaces in a body that the organisation does not have. */
const workspaceProblems = ({ workspaces }: Grants, ids: ReadonlyMap<string, string>): readonly Problem[] =>
  (workspaces ?? []).flatMap((name, at) =>
    ids.has(name)
      ? []
      : [
          problem(
            ['workspaces', at],
            `The organisation has no workspace "${name}".`,
            'Write the id or the slug of one: GET /v1/workspaces lists them.',
          ),
        ],
  );

/** Returns the workspaces of an organisation, by id and by slug. */
const workspacesByName = async (db: Reading, organisation: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'slug'])
    .where('organisation_id', '=', organisation)
    .execute();
  return new Map([...rows.map(({ id, slug }) => [slug, id] as const), ...rows.map(({ id }) => [id, id] as const)]);
};

const modelMembers: readonly string[] = ['models', 'allow_all_models'];

const toCredentialOwner = ({ organisation_id, id }: IntegrationRow): CredentialOwner => ({
  tenant: organisation_id,
  table: 'integrations',
  id,
});

/** Lists the secrets of an integration. */
export const integrationSecrets = (row: IntegrationRow): readonly StoredSecret[] =>
  destinationSecrets(row, toCredentialOwner(row));

/** Seals the destination of an integration, and converts what it grants to columns. */
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
  const found = [...problems, ...workspaceProblems(body, ids), ...workspaceLimitsErrors(limits, ids)];
  const isOfModels = models !== undefined && Object.keys(body).every((name) => modelMembers.includes(name));
  // If only the models change, the destination stays as it was validated.
  if (isOfModels && before !== undefined) refuse(found);
  const called =
    isOfModels && before !== undefined
      ? undefined
      : await sealDestination(parts, {
          ...{ body, before, problems: found },
          owner: toCredentialOwner(row),
        });
  const limitsBefore = before?.workspace_limits ?? null;
  return {
    warnings: called && (await destinationWarnings(parts, { tenant: caller.tenant, body, called })),
    columns: {
      ...called,
      // An integration that lists models allows only these.
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
      // Processes that follow the limits of a workspace also follow those that it has in an integration.
      const limited = [before, after].flatMap((each) => Object.keys(storedWorkspaceLimits(each.workspace_limits)));
      for (const workspace of new Set(limited)) await store.bump(db, 'policies', workspace);
    },
  };
};

/** Throws the `GatewayError` `conflict` if providers of any workspace use the integration. */
export const refuseUsedIntegration = async ({ id, slug }: IntegrationRow, db: Writing): Promise<void> => {
  const count = await countRows(db.selectFrom('providers').where('integration_id', '=', id));
  if (count > 0)
    throw conflict(
      `The integration "${slug}" has ${count === 1 ? 'a provider' : `${count} providers`}.`,
      'Delete its providers in all workspaces first.',
    );
};

/** Returns the members of integrations that are not columns. Callers see only the workspaces that they can access. */
export const showIntegrations = (
  rows: readonly IntegrationRow[],
  { parts, caller }: { readonly parts: ResourceParts; readonly caller: ResourceCaller },
): readonly object[] => {
  const isReached = (workspace: string): boolean => caller.reach === 'organisation' || workspace === caller.tenant;
  return showRows('integration', rows, (row) => ({
    ...shownDestination(row),
    allow_all_models: row.allow_all_models === 1,
    workspaces: row.workspaces === null ? null : (fromJson(row.workspaces) as readonly string[]).filter(isReached),
    workspace_limits: shownWorkspaceLimits(row.workspace_limits, parts.now()).filter(({ workspace_id }) =>
      isReached(workspace_id),
    ),
  }));
};
