import type { Reading } from '../../../kernel/records/records.ts';
import { createVersionedStore, type VersionedStore } from '../../../kernel/resource/versioned-store.ts';
import type { PartialRow, PartialVersionRow } from '../../../kernel/store/tables/tables.ts';
import type { PartialReference } from '../templates/template.ts';

/** A version without its text. */
export type PartialVersionHead = Omit<PartialVersionRow, 'text'>;

const heads = ['id', 'partial_id', 'workspace_id', 'number', 'description', 'created_by', 'created_at'] as const;

export const partialStore: VersionedStore<PartialRow, PartialVersionRow, PartialVersionHead, PartialVersionRow> =
  createVersionedStore({
    noun: 'partial',
    path: '/prompts/partials',
    table: 'partials',
    versions: 'partial_versions',
    parent: 'partial_id',
    changes: ['name', 'published'],
    heads,
    found: [...heads, 'text'],
  });

/** The ids of the versions that references of templates name, by the references as written; without those that there are not. */
export const findIncluded = async (
  db: Reading,
  tenant: string,
  references: readonly PartialReference[],
): Promise<ReadonlyMap<string, string>> => {
  if (references.length === 0) return new Map();
  const toSlugs = (version: 'latest' | 'published'): string[] =>
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
        ...isNumber(toSlugs('published'), where.ref('partials.published')),
        ...isNumber(toSlugs('latest'), newest),
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
