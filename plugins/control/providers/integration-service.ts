import type { Principal, TenantId } from '../../sdk/exchange.ts';
import type { ControlParts } from '../control-parts.ts';
import { onlyOrganisation } from '../kernel/resource/ownership.ts';
import type { Problem } from '../keys/problem.ts';
import { applyChange } from '../saved/apply-change.ts';
import { mapConflict } from '../saved/map-conflict.ts';
import { newSlug } from '../saved/new-slug.ts';
import type { PageQuery } from '../saved/paging.ts';
import type { Reading } from '../saved/records.ts';
import { conflict, notFound, refuse } from '../saved/refusals.ts';
import { refuseFull } from '../saved/refuse-full.ts';
import type { RequestScope } from '../saved/request-scope.ts';
import { newId } from '../store/new-id.ts';
import type { IntegrationRow } from '../store/tables.ts';
import type { DestinationBody } from './destination-body.ts';
import { type GrantColumns, type Grants, grantColumns, workspaceProblems } from './integration-grants.ts';
import { changedWorkspaceLimits, workspaceLimitsFaults } from './integration-limits.ts';
import { type IntegrationModel, type IntegrationModels, modelProblems, readModels } from './integration-models.ts';
import {
  countIntegrations,
  countProvidersOf,
  deleteIntegration,
  findIntegration,
  insertIntegration,
  listIntegrations,
  replaceIntegration,
  workspacesByName,
} from './integration-store.ts';
import { type IntegrationView, toIntegrationView } from './integration-view.ts';
import { memberProblems, textProblems } from './record-members.ts';
import { sealDestination } from './seal-destination.ts';
import { slugTaken } from './slug-taken.ts';
import { mayUse } from './usable-integration.ts';

/** The body that makes an integration. */
export interface NewIntegrationBody extends DestinationBody, Grants {
  readonly name: string;
  readonly slug?: string;
}

/** The body that changes one: what is absent stays. */
export interface IntegrationUpdateBody extends DestinationBody, Grants {
  readonly name?: string;
}

/** The body that replaces the list of its models. */
export interface ModelsBody {
  readonly models: readonly IntegrationModel[];
  /** Absent: as before. */
  readonly allow_all_models?: boolean;
}

/** Who asks, and where. */
export interface IntegrationCaller extends RequestScope {
  readonly caller: Principal;
}

/**
 * Rules for the integrations of organisations. A caller of one workspace sees those that it may use, and changes none. Every
 * method may throw a `GatewayError`.
 */
export interface IntegrationService {
  create(asker: IntegrationCaller, body: NewIntegrationBody): Promise<IntegrationView>;
  list(
    asker: IntegrationCaller,
    page: PageQuery,
  ): Promise<{ readonly total: number; readonly data: readonly IntegrationView[] }>;
  get(asker: IntegrationCaller, slug: string): Promise<IntegrationView>;
  update(asker: IntegrationCaller, slug: string, body: IntegrationUpdateBody): Promise<IntegrationView>;
  remove(asker: IntegrationCaller, slug: string): Promise<void>;
  models(asker: IntegrationCaller, slug: string): Promise<IntegrationModels>;
  setModels(asker: IntegrationCaller, slug: string, body: ModelsBody): Promise<IntegrationModels>;
}

/** The only workspace that a caller reaches; undefined if it reaches the organisation. */
const workspaceOf = ({ caller, tenant }: IntegrationCaller): TenantId | undefined =>
  caller.reach === 'organisation' ? undefined : tenant;

/** What a body grants, and all that is wrong with it beside what it calls. */
interface ValidatedGrants {
  readonly columns: Partial<GrantColumns>;
  /** The stored limits of workspaces once the body is applied to those before. */
  limitsAfter(before: string | null): string | null;
  readonly problems: readonly Problem[];
}

export const createIntegrationService = (parts: ControlParts): IntegrationService => {
  const { store, now } = parts;

  const find = async (db: Reading, asker: IntegrationCaller, slug: string): Promise<IntegrationRow> => {
    const row = await findIntegration(db, asker.organisation, slug);
    const workspace = workspaceOf(asker);
    if (row === undefined || (workspace !== undefined && !mayUse(row, workspace)))
      throw notFound('integration', slug, 'GET /v1/integrations');
    return row;
  };

  /** What a caller sees of an integration: of its workspaces, those that the caller reaches. */
  const viewFor = (asker: IntegrationCaller, row: IntegrationRow): IntegrationView => {
    const view = toIntegrationView(row, now());
    const workspace = workspaceOf(asker);
    if (workspace === undefined) return view;
    return {
      ...view,
      workspaces: view.workspaces === null ? null : [workspace],
      workspace_limits: view.workspace_limits.filter(({ workspace_id }) => workspace_id === workspace),
    };
  };

  const validated = async (
    { organisation }: RequestScope,
    body: NewIntegrationBody | IntegrationUpdateBody,
  ): Promise<ValidatedGrants> => {
    const limits = body.workspace_limits;
    const ids = body.workspaces || limits ? await workspacesByName(store.db, organisation) : new Map<string, string>();
    return {
      columns: grantColumns(body, ids),
      limitsAfter: (before) =>
        limits === undefined ? before : changedWorkspaceLimits(limits ?? [], { ids, before, now: now() }),
      problems: [
        ...memberProblems(body, now()),
        ...modelProblems(body.models ?? []),
        ...workspaceProblems(body, ids),
        ...workspaceLimitsFaults(limits ?? [], ids),
      ],
    };
  };

  const ownerOf = ({ organisation }: RequestScope, id: string) => ({ tenant: organisation, table: 'integrations', id });

  return {
    async create(requestScope, body) {
      onlyOrganisation(requestScope.caller, 'make integrations');
      const createdAt = now();
      const id = newId(createdAt);
      const { name, slug = newSlug(name), models } = body;
      const { columns, limitsAfter, problems } = await validated(requestScope, body);
      const row: IntegrationRow = {
        ...{ id, organisation_id: requestScope.organisation, slug, name },
        ...(await sealDestination(parts, { body, owner: ownerOf(requestScope, id), problems })),
        // Who lists models means these.
        ...{ models: '[]', allow_all_models: models === undefined ? 1 : 0, workspaces: null },
        ...columns,
        workspace_limits: limitsAfter(null),
        ...{ created_at: createdAt, updated_at: createdAt },
      };
      const taken = () => slugTaken(slug, 'an integration of the organisation');
      await mapConflict(taken, () =>
        store.write(async (writing) => {
          refuseFull('integrations', await countIntegrations(writing, requestScope.organisation), 'organisation');
          await insertIntegration(store, writing, row);
        }),
      );
      return toIntegrationView(row, createdAt);
    },

    async list(requestScope, page) {
      const sight = { organisation: requestScope.organisation, workspace: workspaceOf(requestScope) };
      const { total, rows } = await listIntegrations(store, sight, page);
      return { total, data: rows.map((row) => viewFor(requestScope, row)) };
    },

    get: async (requestScope, slug) => viewFor(requestScope, await find(store.db, requestScope, slug)),

    async update(requestScope, slug, body) {
      onlyOrganisation(requestScope.caller, 'change integrations');
      const { columns, limitsAfter, problems } = await validated(requestScope, body);
      const after = await applyChange<IntegrationRow>(store, {
        find: (db) => find(db, requestScope, slug),
        make: async (before) => ({
          ...before,
          ...(await sealDestination(parts, { body, owner: ownerOf(requestScope, before.id), before, problems })),
          ...columns,
          workspace_limits: limitsAfter(before.workspace_limits),
          ...(body.name !== undefined && { name: body.name }),
          updated_at: now(),
        }),
        replace: (writing, row) => replaceIntegration(store, writing, row),
      });
      return toIntegrationView(after, now());
    },

    async remove(requestScope, slug) {
      onlyOrganisation(requestScope.caller, 'delete integrations');
      await store.write(async (writing) => {
        const row = await find(writing, requestScope, slug);
        const count = await countProvidersOf(writing, row);
        if (count > 0)
          throw conflict(
            `The integration "${slug}" has ${count === 1 ? 'a provider' : `${count} providers`}.`,
            'Delete its providers in all workspaces first.',
          );
        await deleteIntegration(store, writing, row);
      });
    },

    models: async (requestScope, slug) => readModels(await find(store.db, requestScope, slug)),

    async setModels(requestScope, slug, body) {
      onlyOrganisation(requestScope.caller, 'change integrations');
      refuse([...textProblems(body), ...modelProblems(body.models)]);
      const after = await applyChange<IntegrationRow>(store, {
        find: (db) => find(db, requestScope, slug),
        make: async (before) => ({ ...before, ...grantColumns(body, new Map()), updated_at: now() }),
        replace: (writing, row) => replaceIntegration(store, writing, row),
      });
      return readModels(after);
    },
  };
};
