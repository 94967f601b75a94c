import type { Principal } from '../../sdk/exchange.ts';
import { storedSettings } from '../identity/places/stored-settings.ts';
import { onlyOrganisation } from '../kernel/resource/ownership.ts';
import { nameFaults } from '../keys/key-parts.ts';
import type { Problem } from '../keys/problem.ts';
import { changedLimits, ownLimitsFaults } from '../policies/own-limits.ts';
import { refuseForbidden } from '../saved/forbidden.ts';
import { mapConflict } from '../saved/map-conflict.ts';
import { newSlug } from '../saved/new-slug.ts';
import type { PageQuery } from '../saved/paging.ts';
import type { Reading } from '../saved/records.ts';
import { conflict, notFound, refuse } from '../saved/refusals.ts';
import { refuseFull } from '../saved/refuse-full.ts';
import type { RequestScope } from '../saved/request-scope.ts';
import { newId } from '../store/new-id.ts';
import type { Writing } from '../store/store.ts';
import type { WorkspaceRow } from '../store/tables.ts';
import type { PlaceParts } from './organisation-service.ts';
import { readLabelsFaults } from './read-labels-faults.ts';
import { changedSettings, settingsFaults } from './settings-change.ts';
import { type SettingsPlace, settingsFacts } from './settings-facts.ts';
import { validateDefaults } from './validate-defaults.ts';
import {
  type Content,
  contentsOf,
  countWorkspaces,
  deleteWorkspace,
  findWorkspaceRow,
  insertWorkspace,
  listWorkspaces,
  replaceWorkspace,
  type WorkspaceSight,
} from './workspace-store.ts';
import { type NewWorkspaceBody, toWorkspaceView, type WorkspaceBody, type WorkspaceView } from './workspace-view.ts';

export interface WorkspaceParts extends PlaceParts {
  /** What can be in a workspace, of what is described as a resource. */
  readonly resources: readonly Content[];
}

/** Who asks, and where. */
export interface WorkspaceAsker {
  readonly requestScope: RequestScope;
  readonly caller: Principal;
}

/** What can be done with workspaces. Methods throw the `GatewayError`s `not-found`, `forbidden`, `invalid-input` and `conflict`. */
export interface WorkspaceService {
  create(asker: WorkspaceAsker, body: NewWorkspaceBody): Promise<WorkspaceView>;
  list(
    asker: WorkspaceAsker,
    page: PageQuery,
  ): Promise<{ readonly total: number; readonly data: readonly WorkspaceView[] }>;
  /** By id or slug. */
  get(asker: WorkspaceAsker, name: string): Promise<WorkspaceView>;
  update(asker: WorkspaceAsker, name: string, body: WorkspaceBody): Promise<WorkspaceView>;
  delete(asker: WorkspaceAsker, name: string): Promise<void>;
}

type Owned = Pick<WorkspaceRow, 'id' | 'organisation_id'>;

const sightOf = ({ requestScope, caller }: WorkspaceAsker): WorkspaceSight => ({
  organisation: requestScope.organisation,
  workspace: caller.reach === 'organisation' ? undefined : requestScope.tenant,
});

export const createWorkspaceService = (parts: WorkspaceParts): WorkspaceService => {
  const { store, now, overlay, resources } = parts;

  const find = async (db: Reading, asker: WorkspaceAsker, name: string): Promise<WorkspaceRow> => {
    const row = await findWorkspaceRow(db, sightOf(asker), name);
    if (row === undefined) throw notFound('workspace', name, 'GET /v1/workspaces');
    return row;
  };

  const placeOf = ({ id, organisation_id }: Owned): SettingsPlace => ({
    ...{ overlay, organisation: organisation_id, workspace: id },
    ofWorkspace: true,
  });

  const validate = (row: Owned, { settings = {} }: WorkspaceBody) => validateDefaults(parts, placeOf(row), settings);

  /** Throws if a name or settings cannot be those of a workspace. `unusable` is what was found before. */
  const check = async (
    writing: Writing,
    row: Owned,
    {
      body: { name, settings = {}, ...limits },
      unusable,
    }: { readonly body: WorkspaceBody; readonly unusable: readonly Problem[] },
  ): Promise<void> => {
    const facts = settingsFacts(writing, placeOf(row));
    const problems = [
      ...(name === undefined ? [] : nameFaults(['name'], name)),
      ...(await settingsFaults(settings, facts)),
      ...unusable,
      ...ownLimitsFaults(limits),
    ];
    refuse(problems);
  };

  return {
    async create({ requestScope: { organisation }, caller }, { name, slug = newSlug(name), settings = {}, ...limits }) {
      onlyOrganisation(caller, 'make workspaces');
      const createdAt = now();
      const row: WorkspaceRow = {
        ...{
          id: newId(createdAt),
          organisation_id: organisation,
          slug,
          name,
          created_at: createdAt,
          updated_at: createdAt,
        },
        settings: JSON.stringify(changedSettings({}, settings)),
        limits: changedLimits(limits, { before: null, now: createdAt }),
      };
      const unusable = await validate(row, { settings });
      const taken = () =>
        conflict(`Your organisation has a workspace "${slug}" already.`, 'Use another slug, or leave it out.');
      await mapConflict(taken, () =>
        store.write(async (writing) => {
          await check(writing, row, { body: { name, settings, ...limits }, unusable });
          refuseFull('workspaces', await countWorkspaces(writing, organisation), 'organisation');
          await insertWorkspace(store, writing, row);
        }),
      );
      return toWorkspaceView(row, createdAt);
    },

    async list(asker, page) {
      const { total, rows } = await listWorkspaces(store.db, sightOf(asker), page);
      return { total, data: rows.map((row) => toWorkspaceView(row, now())) };
    },

    get: async (asker, name) => toWorkspaceView(await find(store.db, asker, name), now()),

    async update(asker, name, body) {
      if (body.rate_limits !== undefined || body.usage_limits !== undefined)
        onlyOrganisation(asker.caller, 'change the limits of a workspace');
      const unusable = await validate(await find(store.db, asker, name), body);
      return await store.write(async (writing) => {
        const before = await find(writing, asker, name);
        await check(writing, before, { body, unusable });
        const change = { workspace: before, before: storedSettings(before.settings), change: body.settings ?? {} };
        refuseForbidden(await readLabelsFaults(writing, asker.caller, change));
        const settings = changedSettings(change.before, change.change);
        const after: WorkspaceRow = {
          ...before,
          ...(body.name !== undefined && { name: body.name }),
          settings: JSON.stringify(settings),
          limits: changedLimits(body, { before: before.limits, now: now() }),
          updated_at: Math.max(now(), before.updated_at + 1),
        };
        await replaceWorkspace(store, writing, after);
        return toWorkspaceView(after, now());
      });
    },

    async delete(asker, name) {
      onlyOrganisation(asker.caller, 'delete workspaces');
      await store.write(async (writing) => {
        const row = await find(writing, asker, name);
        if (row.slug === 'default')
          throw conflict(
            'The workspace "default" cannot be deleted: keys of the organisation act in it.',
            'Delete what is in it, and leave it.',
          );
        const contents = await contentsOf(writing, row.id, resources);
        if (contents.length > 0)
          throw conflict(
            `The workspace "${row.slug}" is not empty. It has ${contents.join(', ')}.`,
            'Revoke its keys, and delete what is saved in it, first.',
          );
        await deleteWorkspace(store, writing, { ...row, updated_at: now() });
      });
    },
  };
};
