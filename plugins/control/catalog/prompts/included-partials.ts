import { LRUCache } from 'lru-cache';
import type { Reading } from '../../kernel/records/records.ts';
import type { PartialRow, PartialVersionRow, PromptRow } from '../../kernel/store/tables.ts';
import { readVersion } from './prompt-store.ts';
import { parseTemplate } from './templates/parse-template.ts';
import {
  findPartials,
  type PartialReference,
  type Template,
  TemplateError,
  versionBytes,
} from './templates/template.ts';

/**
 * Returns the ids of the versions that references in templates name, by the references as written. References to versions that do
 * not exist are omitted.
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

/** Returns the texts of these versions, omitting those that were deleted. */
const readPartialTexts = async (
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
 * Finds what templates include, directly and indirectly. `others` take precedence over partials of the same names in the store.
 * Rejects with a `TemplateError` if there is too much.
 */
export type FindIncludedPartials = (
  db: Reading,
  tenant: string,
  { templates, others }: { readonly templates: readonly Template[]; readonly others?: IncludedPartials },
) => Promise<IncludedPartials>;

/** The maximum number of partials that a version includes, directly and indirectly, and the maximum size of their texts. */
const maxIncluded = 256;
const maxIncludedBytes = 4 * 1024 * 1024;

const tooMany = (): TemplateError =>
  new TemplateError(
    `It includes more than ${maxIncluded} partials, or more than ${maxIncludedBytes / 1024 / 1024} MiB of them.`,
  );

/**
 * Caches parsed partials by the ids of their versions, in roughly `maxBytes` of memory. Versions never change, so no entry
 * becomes stale.
 */
export const createIncludedPartials = (maxBytes: number): FindIncludedPartials => {
  const known = new LRUCache<string, { readonly template: Template; readonly length: number }>({ maxSize: maxBytes });

  const load = async (db: Reading, tenant: string, ids: readonly string[]) => {
    const loaded = new Map(ids.map((id) => [id, known.get(id)]));
    const missing = [...loaded.keys()].filter((id) => loaded.get(id) === undefined);
    for (const { id, text } of await readPartialTexts(db, tenant, missing)) {
      const { template, problems } = parseTemplate(text);
      // Only templates that can be parsed are stored.
      if (template === undefined) throw new Error(problems.map(({ message }) => message).join(' '));
      const partial = { template, length: text.length };
      known.set(id, partial, { size: versionBytes(text, [template]) });
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
      const loaded = await load(db, tenant, [...ids.values()]);
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

/**
 * Returns the published, the newest and the labelled versions of a workspace's prompts whose content may contain a text, in which
 * `_` matches any character: their ids, and the slugs of the prompts.
 */
const versionsInUse = (
  db: Reading,
  tenant: string,
  having: string,
): Promise<readonly Pick<PromptRow, 'id' | 'slug'>[]> =>
  db
    .selectFrom('prompt_versions')
    .innerJoin('prompts', 'prompts.id', 'prompt_versions.prompt_id')
    .select(['prompt_versions.id', 'prompts.slug'])
    .where('prompt_versions.workspace_id', '=', tenant)
    .where('prompts.workspace_id', '=', tenant)
    .where('prompt_versions.content', 'like', `%${having}%`)
    .where((where) =>
      where.or([
        where('prompt_versions.number', '=', where.ref('prompts.published')),
        where('prompt_versions.number', '=', (inner) =>
          inner
            .selectFrom('prompt_versions as newest')
            .select((select) => select.fn.max('newest.number').as('number'))
            .whereRef('newest.prompt_id', '=', 'prompts.id'),
        ),
        where('prompt_versions.number', 'in', (inner) =>
          inner
            .selectFrom('prompt_labels')
            .select('prompt_labels.version')
            .whereRef('prompt_labels.prompt_id', '=', 'prompts.id'),
        ),
      ]),
    )
    .orderBy('prompts.slug')
    .execute();

/** Returns the slugs of the prompts with a version in use that is sent to a saved provider (`@slug`) or a virtual key. */
export const promptsSentTo = async (
  db: Reading,
  tenant: string,
  names: readonly string[],
): Promise<readonly string[]> => {
  const found = new Set<string>();
  for (const name of names)
    for (const { id, slug } of await versionsInUse(db, tenant, `"virtual_key":${JSON.stringify(name)}`)) {
      const version = await readVersion(db, tenant, id);
      if (version?.content.virtual_key === name) found.add(slug);
    }
  return [...found].sort();
};

/** The maximum number of uses that are reported. */
const maxUses = 4;

const partialsInUse = (db: Reading, { id, workspace_id, slug }: PartialRow) =>
  db
    .selectFrom('partial_versions')
    .innerJoin('partials', 'partials.id', 'partial_versions.partial_id')
    .select(['partial_versions.id', 'partials.slug'])
    .where('partial_versions.workspace_id', '=', workspace_id)
    .where('partials.workspace_id', '=', workspace_id)
    .where('partials.id', '!=', id)
    .where('partial_versions.text', 'like', `%${slug}%`)
    .where((where) =>
      where.or([
        where('partial_versions.number', '=', where.ref('partials.published')),
        where('partial_versions.number', '=', (inner) =>
          inner
            .selectFrom('partial_versions as newest')
            .select((select) => select.fn.max('newest.number').as('number'))
            .whereRef('newest.partial_id', '=', 'partials.id'),
        ),
      ]),
    )
    .orderBy('partials.slug')
    .execute();

/**
 * Finds what names a partial: the published, the newest and the labelled versions of prompts, and the published and the newest
 * versions of other partials. Stops after a few.
 */
export const usesOfPartial = async (db: Reading, partial: PartialRow): Promise<readonly string[]> => {
  const { workspace_id: tenant, slug } = partial;
  const uses = new Set<string>();
  // All versions that list the partial, and few others.
  for (const { id, slug: user } of await versionsInUse(db, tenant, `"${slug}"`)) {
    const version = await readVersion(db, tenant, id);
    if (version?.partials.includes(slug)) uses.add(`the prompt "${user}"`);
    if (uses.size >= maxUses) return [...uses];
  }
  for (const { id, slug: user } of await partialsInUse(db, partial)) {
    const [{ text } = { text: '' }] = await readPartialTexts(db, tenant, [id]);
    const { template = { nodes: [] } } = parseTemplate(text);
    if (findPartials(template).some((each) => each.slug === slug)) uses.add(`the partial "${user}"`);
    if (uses.size >= maxUses) break;
  }
  return [...uses];
};
