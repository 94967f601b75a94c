import { countOf, type Page, type PageResult, paginate, pickByIdOrSlug, type Reading } from '../../saved/records.ts';
import type { Store, Writing } from '../../store/store.ts';
import type { PartialRow, PartialVersionRow } from '../../store/tables.ts';
import type { PartialReference } from '../templates/template.ts';

/** A version without its text. */
export type PartialVersionHead = Omit<PartialVersionRow, 'text'>;

const headColumns = ['id', 'partial_id', 'workspace_id', 'number', 'description', 'created_by', 'created_at'] as const;

const inWorkspace = (db: Reading, tenant: string) => db.selectFrom('partials').where('workspace_id', '=', tenant);

/** The partial of a workspace that an id or a slug names; an id is looked for first. */
export const findPartial = async (db: Reading, tenant: string, name: string): Promise<PartialRow | undefined> =>
  pickByIdOrSlug(
    await inWorkspace(db, tenant)
      .selectAll()
      .where((where) => where.or({ id: name, slug: name }))
      .execute(),
    name,
  );

/** A version of a partial. */
export const findPartialVersion = async (
  db: Reading,
  { id, workspace_id, published }: PartialRow,
  version: PartialReference['version'],
): Promise<PartialVersionRow | undefined> => {
  const all = db
    .selectFrom('partial_versions')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('partial_id', '=', id);
  if (version === 'latest') return await all.orderBy('number', 'desc').limit(1).executeTakeFirst();
  return await all.where('number', '=', version === 'published' ? published : version).executeTakeFirst();
};

/** The ids of the versions that references of templates name, by the references as written; without those that there are not. */
export const findIncluded = async (
  db: Reading,
  tenant: string,
  references: readonly PartialReference[],
): Promise<ReadonlyMap<string, string>> => {
  if (references.length === 0) return new Map();
  const slugsOf = (version: 'latest' | 'published'): string[] =>
    references.filter((reference) => reference.version === version).map(({ slug }) => slug);
  const rows = await db
    .selectFrom('partials')
    .innerJoin('partial_versions', 'partial_versions.partial_id', 'partials.id')
    .select(['partials.slug', 'partials.published', 'partial_versions.id', 'partial_versions.number'])
    .where('partials.workspace_id', '=', tenant)
    .where((where) => {
      const isNumber = (slugs: readonly string[], number: Parameters<typeof where.eb>[2]) =>
        slugs.length === 0
          ? []
          : [where.and([where('partials.slug', 'in', slugs), where('partial_versions.number', '=', number)])];
      const newest = where
        .selectFrom('partial_versions as newest')
        .select((select) => select.fn.max('newest.number').as('number'))
        .whereRef('newest.partial_id', '=', 'partials.id');
      return where.or([
        ...isNumber(slugsOf('published'), where.ref('partials.published')),
        ...isNumber(slugsOf('latest'), newest),
        ...references.flatMap(({ slug, version }) => (typeof version === 'number' ? isNumber([slug], version) : [])),
      ]);
    })
    .orderBy('partial_versions.number')
    .execute();
  const bySlug = Map.groupBy(rows, ({ slug }) => slug);
  return new Map(
    references.flatMap(({ name, slug, version }): [string, string][] => {
      const versions = bySlug.get(slug) ?? [];
      const found =
        version === 'latest'
          ? versions.at(-1)
          : versions.find(({ number, published }) => number === (version === 'published' ? published : version));
      return found === undefined ? [] : [[name, found.id]];
    }),
  );
};

/** The texts of these versions; without those that were deleted. */
export const readPartialTexts = async (
  db: Reading,
  tenant: string,
  ids: readonly string[],
): Promise<readonly Pick<PartialVersionRow, 'id' | 'text'>[]> =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('partial_versions')
        .select(['id', 'text'])
        .where('workspace_id', '=', tenant)
        .where('id', 'in', ids)
        .execute();

export const countPartials = (db: Reading, tenant: string): Promise<number> => countOf(inWorkspace(db, tenant));

/** The partials of a workspace, the newest first. */
export const listPartials = (db: Reading, tenant: string, page: Page): Promise<PageResult<PartialRow>> =>
  paginate(inWorkspace(db, tenant).selectAll().orderBy('id', 'desc'), page);

/** The versions of a partial, the newest first. */
export const listPartialVersions = (
  db: Reading,
  { id, workspace_id }: PartialRow,
  page: Page,
): Promise<PageResult<PartialVersionHead>> =>
  paginate(
    db
      .selectFrom('partial_versions')
      .select(headColumns)
      .where('workspace_id', '=', workspace_id)
      .where('partial_id', '=', id)
      .orderBy('number', 'desc'),
    page,
  );

/** Adds a partial with its first version. Rejects with what `isConflict` knows if the workspace has its slug. */
export const insertPartial = async (
  store: Store,
  writing: Writing,
  { row, version }: { readonly row: PartialRow; readonly version: PartialVersionRow },
): Promise<void> => {
  await writing.insertInto('partials').values(row).execute();
  await writing.insertInto('partial_versions').values(version).execute();
  await store.bump(writing, 'plans', row.workspace_id);
};

/** Changes a partial, and adds a version where there is a new one. The partial comes first, as with prompts. */
export const changePartial = async (
  store: Store,
  writing: Writing,
  { row, version }: { readonly row: PartialRow; readonly version?: PartialVersionRow | undefined },
): Promise<void> => {
  const { name, published, updated_at } = row;
  await writing
    .updateTable('partials')
    .set({ name, published, updated_at })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
  if (version !== undefined) await writing.insertInto('partial_versions').values(version).execute();
  await store.bump(writing, 'plans', row.workspace_id);
};

/** Deletes a partial with its versions. */
export const deletePartial = async (
  store: Store,
  writing: Writing,
  { id, workspace_id }: PartialRow,
): Promise<void> => {
  await writing
    .deleteFrom('partial_versions')
    .where('workspace_id', '=', workspace_id)
    .where('partial_id', '=', id)
    .execute();
  await writing.deleteFrom('partials').where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
  await store.bump(writing, 'plans', workspace_id);
};
