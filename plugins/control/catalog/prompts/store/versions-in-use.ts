import type { Reading } from '../../../kernel/records/records.ts';
import type { PartialRow, PromptRow } from '../../../kernel/store/tables/tables.ts';
import { parseTemplate } from '../templates/parse-template.ts';
import { findPartials } from '../templates/template.ts';
import { readPartialTexts } from './included-partials.ts';
import { readVersion } from './prompt-store.ts';

/**
 * Finds the published, the newest and the labelled versions of a workspace's prompts whose content may have a text in
 * it, `_` in which stands for any character: their ids, and the slugs of the prompts.
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

/** Finds the slugs of the prompts with a version in use that is sent to a saved provider (`@slug`) or a virtual key. */
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

/** The most uses that are reported. */
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
 * Finds what names a partial: the published, the newest and the labelled versions of prompts, and the published and the
 * newest versions of other partials. Stops at a few of them.
 */
export const usesOfPartial = async (db: Reading, partial: PartialRow): Promise<readonly string[]> => {
  const { workspace_id: tenant, slug } = partial;
  const uses = new Set<string>();
  // All that have it in their list of partials, and few others.
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
