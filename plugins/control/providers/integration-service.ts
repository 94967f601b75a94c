import { gatewayError } from '../../../schema/errors.ts';
import type { ControlParts } from '../control-parts.ts';
import { type Problem, problem } from '../keys/problem.ts';
import type { Acting } from '../saved/acting.ts';
import { applyChange } from '../saved/apply-change.ts';
import { newSlug } from '../saved/new-slug.ts';
import type { Page } from '../saved/paging.ts';
import { newId } from '../store/new-id.ts';
import type { IntegrationRow } from '../store/tables.ts';
import type { DestinationBody } from './destination-body.ts';
import { type IntegrationModel, type IntegrationModels, modelProblems, readModels } from './integration-models.ts';
import {
  countProvidersOf,
  deleteIntegration,
  findIntegration,
  insertIntegration,
  listIntegrations,
  replaceIntegration,
  workspacesByName,
} from './integration-store.ts';
import { type IntegrationView, toIntegrationView } from './integration-view.ts';
import type { Reading } from './provider-store.ts';
import { memberProblems, textProblems } from './record-members.ts';
import { refuseProblems } from './refuse-problems.ts';
import { sealDestination } from './seal-destination.ts';
import { integrationKind, notFoundError, unlessTaken } from './taken.ts';

interface Grants {
  readonly models?: readonly IntegrationModel[];
  readonly allow_all_models?: boolean;
  /** The ids or slugs of the workspaces that may use it; null: all. */
  readonly workspaces?: readonly string[] | null;
}

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

/** Rules for the integrations of organisations. Every method may throw a `GatewayError`. */
export interface IntegrationService {
  create(acting: Acting, body: NewIntegrationBody): Promise<IntegrationView>;
  list(acting: Acting, page: Page): Promise<{ readonly total: number; readonly data: readonly IntegrationView[] }>;
  get(acting: Acting, slug: string): Promise<IntegrationView>;
  update(acting: Acting, slug: string, body: IntegrationUpdateBody): Promise<IntegrationView>;
  remove(acting: Acting, slug: string): Promise<void>;
  models(acting: Acting, slug: string): Promise<IntegrationModels>;
  setModels(acting: Acting, slug: string, body: ModelsBody): Promise<IntegrationModels>;
}

type GrantColumns = Pick<IntegrationRow, 'models' | 'allow_all_models' | 'workspaces'>;

const grantColumns = (
  { models, allow_all_models, workspaces }: Grants,
  ids: ReadonlyMap<string, string>,
): Partial<GrantColumns> => ({
  ...(models !== undefined && { models: JSON.stringify(models) }),
  ...(allow_all_models !== undefined && { allow_all_models: allow_all_models ? 1 : 0 }),
  ...(workspaces !== undefined && {
    workspaces: workspaces === null ? null : JSON.stringify([...new Set(workspaces.map((name) => ids.get(name)))]),
  }),
});

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

export const createIntegrationService = (parts: ControlParts): IntegrationService => {
  const { store, now } = parts;

  const find = async (db: Reading, { organisation }: Acting, slug: string): Promise<IntegrationRow> => {
    const row = await findIntegration(db, organisation, slug);
    if (row === undefined) throw notFoundError(integrationKind, slug);
    return row;
  };

  /** What a body grants, and all that is wrong with it beside what it calls. */
  const judged = async (
    { organisation }: Acting,
    body: NewIntegrationBody | IntegrationUpdateBody,
  ): Promise<{ readonly columns: Partial<GrantColumns>; readonly problems: readonly Problem[] }> => {
    const ids = body.workspaces ? await workspacesByName(store.db, organisation) : new Map<string, string>();
    return {
      columns: grantColumns(body, ids),
      problems: [...memberProblems(body, now()), ...modelProblems(body.models ?? []), ...workspaceProblems(body, ids)],
    };
  };

  const ownerOf = ({ organisation }: Acting, id: string) => ({ tenant: organisation, table: 'integrations', id });

  return {
    async create(acting, body) {
      const made = now();
      const id = newId(made);
      const { name, slug = newSlug(name), models } = body;
      const { columns, problems } = await judged(acting, body);
      const row: IntegrationRow = {
        ...{ id, organisation_id: acting.organisation, slug, name },
        ...(await sealDestination(parts, { body, owner: ownerOf(acting, id), problems })),
        // Who lists models means these.
        ...{ models: '[]', allow_all_models: models === undefined ? 1 : 0, workspaces: null },
        ...columns,
        ...{ created_at: made, updated_at: made },
      };
      await unlessTaken(slug, 'an integration of the organisation', () =>
        store.write((writing) => insertIntegration(store, writing, row)),
      );
      return toIntegrationView(row);
    },

    async list({ organisation }, page) {
      const { total, rows } = await listIntegrations(store, organisation, page);
      return { total, data: rows.map(toIntegrationView) };
    },

    get: async (acting, slug) => toIntegrationView(await find(store.db, acting, slug)),

    async update(acting, slug, body) {
      const { columns, problems } = await judged(acting, body);
      const after = await applyChange<IntegrationRow>(store, {
        find: (db) => find(db, acting, slug),
        make: async (before) => ({
          ...before,
          ...(await sealDestination(parts, { body, owner: ownerOf(acting, before.id), before, problems })),
          ...columns,
          ...(body.name !== undefined && { name: body.name }),
          updated_at: now(),
        }),
        replace: (writing, row) => replaceIntegration(store, writing, row),
      });
      return toIntegrationView(after);
    },

    remove: (acting, slug) =>
      store.write(async (writing) => {
        const row = await find(writing, acting, slug);
        const count = await countProvidersOf(writing, row);
        if (count > 0)
          throw gatewayError('conflict', {
            fact: `The integration "${slug}" has ${count === 1 ? 'a provider' : `${count} providers`}.`,
            suggestion: 'Delete its providers in all workspaces first.',
          });
        await deleteIntegration(store, writing, row);
      }),

    models: async (acting, slug) => readModels(await find(store.db, acting, slug)),

    async setModels(acting, slug, body) {
      refuseProblems([...textProblems(body), ...modelProblems(body.models)]);
      const after = await applyChange<IntegrationRow>(store, {
        find: (db) => find(db, acting, slug),
        make: async (before) => ({ ...before, ...grantColumns(body, new Map()), updated_at: now() }),
        replace: (writing, row) => replaceIntegration(store, writing, row),
      });
      return readModels(after);
    },
  };
};
