import type { Reading } from '../../../kernel/records/records.ts';
import type { PartialVersionRow } from '../../../kernel/store/tables/tables.ts';
import { parseTemplate } from '../templates/parse-template.ts';
import { findPartials, type PartialReference, type Template, TemplateError } from '../templates/template.ts';
import { createVersionCache } from './version-cache.ts';

/**
 * Finds the ids of the versions that references of templates name, by the references as written; without those that do
 * not exist.
 */
const findIncluded = async (
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

/** Reads the texts of these versions; without those that were deleted. */
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

/** Partials by their names as written, such as `rules@5`. */
export type IncludedPartials = ReadonlyMap<string, Template>;

/**
 * Finds what templates include, and what that includes. `others` are found in place of what the store has of their
 * names. Rejects with a `TemplateError` if it is too much.
 */
export type FindIncludedPartials = (
  db: Reading,
  tenant: string,
  { templates, others }: { readonly templates: readonly Template[]; readonly others?: IncludedPartials },
) => Promise<IncludedPartials>;

/** The most partials that a version includes, those in partials too, and the most bytes of their texts. */
const maxIncluded = 256;
const maxIncludedBytes = 4 * 1024 * 1024;

const tooMany = (): TemplateError =>
  new TemplateError(
    `It includes more than ${maxIncluded} partials, or more than ${maxIncludedBytes / 1024 / 1024} MiB of them.`,
  );

interface ParsedPartial {
  readonly template: Template;
  readonly length: number;
}

/** Keeps partials of roughly `maxBytes` in memory, parsed. */
export const createIncludedPartials = (maxBytes: number): FindIncludedPartials => {
  const kept = createVersionCache<ParsedPartial>(maxBytes);

  const load = async (db: Reading, tenant: string, wanted: Iterable<string>) => {
    const loaded = new Map<string, ParsedPartial>();
    const missing: string[] = [];
    for (const id of new Set(wanted)) {
      const partial = kept.get(id);
      if (partial === undefined) missing.push(id);
      else loaded.set(id, partial);
    }
    for (const { id, text } of await readPartialTexts(db, tenant, missing)) {
      const { template, problems } = parseTemplate(text);
      // Only what parses is stored.
      if (template === undefined) throw new Error(problems.map(({ message }) => message).join(' '));
      const partial = { template, length: text.length };
      kept.set(id, partial, { text, templates: [template] });
      loaded.set(id, partial);
    }
    return loaded;
  };

  return async (db, tenant, { templates, others = new Map() }) => {
    const found = new Map<string, Template>();
    const seen = new Set<string>();
    let length = 0;
    for (let next = templates; next.length > 0; ) {
      const named = next.flatMap(findPartials).filter(({ name }) => !seen.has(name));
      const references = new Map(named.map((reference) => [reference.name, reference]));
      for (const name of references.keys()) seen.add(name);
      if (seen.size > maxIncluded) throw tooMany();
      const ids = await findIncluded(
        db,
        tenant,
        [...references.values()].filter(({ name }) => !others.has(name)),
      );
      const loaded = await load(db, tenant, ids.values());
      next = [...references.keys()].flatMap((name) => {
        const partial = loaded.get(ids.get(name) ?? '');
        const template = others.get(name) ?? partial?.template;
        length += partial?.length ?? 0;
        if (length > maxIncludedBytes) throw tooMany();
        if (template === undefined) return [];
        found.set(name, template);
        return [template];
      });
    }
    return found;
  };
};
