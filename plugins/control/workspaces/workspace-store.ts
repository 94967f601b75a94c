import { countActive } from '../policies/active-policies.ts';
import { type PageQuery, toPage } from '../saved/paging.ts';
import {
  countOf,
  lacksNulCharacters,
  type PageResult,
  paginate,
  pickByIdOrSlug,
  type Reading,
} from '../saved/records.ts';
import type { Store, Writing } from '../store/store.ts';
import type { Tables, WorkspaceRow } from '../store/tables.ts';
import { changeOrganisation } from './organisation-store.ts';

/** Which workspaces somebody sees: those of an organisation, or one of them. */
export interface WorkspaceSight {
  readonly organisation: string;
  readonly workspace?: string | undefined;
}

const inSight = (db: Reading, { organisation, workspace }: WorkspaceSight) =>
  db
    .selectFrom('workspaces')
    .where((where) => where.and({ organisation_id: organisation, ...(workspace !== undefined && { id: workspace }) }));

/** The workspace that an id or a slug names, if it is in sight; an id is looked for first. */
export const findWorkspaceRow = async (
  db: Reading,
  sight: WorkspaceSight,
  name: string,
): Promise<WorkspaceRow | undefined> => {
  if (!lacksNulCharacters(name)) return undefined;
  const rows = await inSight(db, sight)
    .selectAll()
    .where((where) => where.or({ id: name, slug: name }))
    .execute();
  return pickByIdOrSlug(rows, name);
};

/** A page of the workspaces in sight, the newest first. */
export const listWorkspaces = (
  db: Reading,
  sight: WorkspaceSight,
  page: PageQuery,
): Promise<PageResult<WorkspaceRow>> => paginate(inSight(db, sight).selectAll().orderBy('id', 'desc'), toPage(page));

/** Notes a change of a workspace in its organisation, by which processes follow both, and of its limits, which have its name. */
const noteChange = async (store: Store, writing: Writing, row: WorkspaceRow): Promise<void> => {
  await changeOrganisation(store, writing, { id: row.organisation_id, change: { now: row.updated_at } });
  await store.bump(writing, 'plans', row.id);
  await store.bump(writing, 'policies', row.id);
};

/** How many workspaces an organisation has. */
export const countWorkspaces = (db: Reading, organisation: string): Promise<number> =>
  countOf(db.selectFrom('workspaces').where('organisation_id', '=', organisation));

export const insertWorkspace = async (store: Store, writing: Writing, row: WorkspaceRow): Promise<void> => {
  await writing.insertInto('workspaces').values(row).execute();
  await noteChange(store, writing, row);
};

export const replaceWorkspace = async (store: Store, writing: Writing, row: WorkspaceRow): Promise<void> => {
  const { id, organisation_id, name, settings, limits, updated_at } = row;
  await writing
    .updateTable('workspaces')
    .set({ name, settings, limits, updated_at })
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .execute();
  await noteChange(store, writing, row);
};

/** What can be in a workspace, with the words for one of it and for more. */
export interface Content {
  readonly table: keyof Tables;
  readonly noun: string;
  readonly plural: string;
}

/** Those that are not described; virtual keys are rows of the same table as providers. */
const others: readonly Content[] = [
  { table: 'providers', noun: 'provider', plural: 'providers' },
  { table: 'configs', noun: 'config', plural: 'configs' },
  { table: 'prompts', noun: 'prompt', plural: 'prompts' },
  { table: 'partials', noun: 'partial', plural: 'partials' },
];

const counted = (count: number, one: string, more: string): readonly string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${more}`];

/** What is in a workspace, in words: keys that are not revoked, saved things, and policies that are in force. */
export const contentsOf = async (
  db: Reading,
  workspace: string,
  resources: readonly Content[],
): Promise<readonly string[]> => {
  const keys = db.selectFrom('keys').where('workspace_id', '=', workspace).where('status', '!=', 'revoked');
  const found = [...counted(await countOf(keys), 'service key', 'service keys')];
  for (const { table, noun, plural } of [...others, ...resources])
    found.push(...counted(await countOf(db.selectFrom(table).where('workspace_id', '=', workspace)), noun, plural));
  found.push(...counted(await countActive(db, workspace), 'policy', 'policies'));
  return found;
};

/** Deletes an empty workspace, and what nobody can use any more: its revoked keys, archived policies, kept replies and data keys. */
export const deleteWorkspace = async (store: Store, writing: Writing, row: WorkspaceRow): Promise<void> => {
  const { id, organisation_id } = row;
  await writing.deleteFrom('keys').where('workspace_id', '=', id).where('status', '=', 'revoked').execute();
  await writing.deleteFrom('policies').where('workspace_id', '=', id).where('status', '=', 'archived').execute();
  await writing.deleteFrom('idempotency').where('workspace_id', '=', id).execute();
  await writing.deleteFrom('data_keys').where('tenant', '=', id).execute();
  await writing.deleteFrom('workspaces').where('id', '=', id).where('organisation_id', '=', organisation_id).execute();
  await noteChange(store, writing, row);
};
