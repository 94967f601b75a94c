import { countOf, type Page, type PageResult, paginate, pickByIdOrSlug, type Reading } from '../saved/records.ts';
import type { Store, Writing } from '../store/store.ts';
import type { PromptRow, PromptVersionRow } from '../store/tables.ts';
import type { VersionName } from './prompt-reference.ts';

/** A version without its content. */
export type PromptVersionHead = Omit<PromptVersionRow, 'content'>;

const headColumns = [
  'prompt_versions.id',
  'prompt_versions.prompt_id',
  'prompt_versions.workspace_id',
  'prompt_versions.number',
  'prompt_versions.description',
  'prompt_versions.created_by',
  'prompt_versions.created_at',
] as const;

const inWorkspace = (db: Reading, tenant: string) => db.selectFrom('prompts').where('workspace_id', '=', tenant);

/** The prompt of a workspace that an id or a slug names; an id is looked for first. */
export const findPrompt = async (db: Reading, tenant: string, name: string): Promise<PromptRow | undefined> =>
  pickByIdOrSlug(
    await inWorkspace(db, tenant)
      .selectAll()
      .where((where) => where.or({ id: name, slug: name }))
      .execute(),
    name,
  );

/** A version of a prompt, without its content. */
export const findVersionHead = async (
  db: Reading,
  { id, workspace_id, published }: Pick<PromptRow, 'id' | 'workspace_id' | 'published'>,
  version: VersionName,
): Promise<PromptVersionHead | undefined> => {
  const all = db
    .selectFrom('prompt_versions')
    .select(headColumns)
    .where('workspace_id', '=', workspace_id)
    .where('prompt_id', '=', id);
  if (version === 'latest') return await all.orderBy('number', 'desc').limit(1).executeTakeFirst();
  if (typeof version !== 'object')
    return await all.where('number', '=', version === 'published' ? published : version).executeTakeFirst();
  return await all
    .where('number', '=', (inner) =>
      inner
        .selectFrom('prompt_labels')
        .innerJoin('labels', 'labels.id', 'prompt_labels.label_id')
        .select('prompt_labels.version')
        .where('prompt_labels.workspace_id', '=', workspace_id)
        .where('prompt_labels.prompt_id', '=', id)
        .where('labels.name', '=', version.label),
    )
    .executeTakeFirst();
};

/** The content of a version, as JSON; undefined if it was deleted. */
export const readContent = async (db: Reading, tenant: string, versionId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('prompt_versions')
    .select('content')
    .where('workspace_id', '=', tenant)
    .where('id', '=', versionId)
    .executeTakeFirst();
  return row?.content;
};

const inCollection = (db: Reading, tenant: string, collection: string | undefined) =>
  collection === undefined ? inWorkspace(db, tenant) : inWorkspace(db, tenant).where('collection_id', '=', collection);

/** How many prompts a workspace has, or one of its collections. */
export const countPrompts = (db: Reading, tenant: string, collection?: string): Promise<number> =>
  countOf(inCollection(db, tenant, collection));

/** The prompts of a workspace, or of one of its collections, the newest first. */
export const listPrompts = (
  db: Reading,
  tenant: string,
  { collection, page }: { readonly collection?: string | undefined; readonly page: Page },
): Promise<PageResult<PromptRow>> =>
  paginate(inCollection(db, tenant, collection).selectAll().orderBy('id', 'desc'), page);

/** The versions of a prompt, the newest first. */
export const listPromptVersions = (
  db: Reading,
  { id, workspace_id }: PromptRow,
  page: Page,
): Promise<PageResult<PromptVersionHead>> =>
  paginate(
    db
      .selectFrom('prompt_versions')
      .select(headColumns)
      .where('workspace_id', '=', workspace_id)
      .where('prompt_id', '=', id)
      .orderBy('number', 'desc'),
    page,
  );

/** Adds a prompt with its first version. Rejects with what `isConflict` knows if the workspace has its slug. */
export const insertPrompt = async (
  store: Store,
  writing: Writing,
  { row, version }: { readonly row: PromptRow; readonly version: PromptVersionRow },
): Promise<void> => {
  await writing.insertInto('prompts').values(row).execute();
  await writing.insertInto('prompt_versions').values(version).execute();
  await store.bump(writing, 'plans', row.workspace_id);
};

/**
 * Changes a prompt, and adds a version where there is a new one. The prompt comes first: of two changes at once, PostgreSQL
 * then runs the later one again, where it otherwise would find its number taken.
 */
export const changePrompt = async (
  store: Store,
  writing: Writing,
  { row, version }: { readonly row: PromptRow; readonly version?: PromptVersionRow | undefined },
): Promise<void> => {
  const { name, collection_id, published, updated_at } = row;
  await writing
    .updateTable('prompts')
    .set({ name, collection_id, published, updated_at })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
  if (version !== undefined) await writing.insertInto('prompt_versions').values(version).execute();
  await store.bump(writing, 'plans', row.workspace_id);
};

/** Deletes a prompt with its versions and labels. */
export const deletePrompt = async (store: Store, writing: Writing, { id, workspace_id }: PromptRow): Promise<void> => {
  for (const table of ['prompt_labels', 'prompt_versions'] as const)
    await writing.deleteFrom(table).where('workspace_id', '=', workspace_id).where('prompt_id', '=', id).execute();
  await writing.deleteFrom('prompts').where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
  await store.bump(writing, 'plans', workspace_id);
};
