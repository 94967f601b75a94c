import type { PartialRow } from '../../store/tables.ts';
import { type Reading, readContent } from '../prompt-store.ts';
import { storedPartials } from '../stored-content.ts';
import { findPartials } from '../templates/find-partials.ts';
import { parseTemplate } from '../templates/parse-template.ts';
import { readPartialTexts } from './partial-store.ts';

/** The most uses that are told. */
const mostTold = 4;

/** The versions of prompts that requests get by a name that does not say their number. */
const versionsInUse = (db: Reading, { workspace_id, slug }: PartialRow) =>
  db
    .selectFrom('prompt_versions')
    .innerJoin('prompts', 'prompts.id', 'prompt_versions.prompt_id')
    .select(['prompt_versions.id', 'prompts.slug'])
    .where('prompt_versions.workspace_id', '=', workspace_id)
    .where('prompts.workspace_id', '=', workspace_id)
    // All that have it in their list of partials, and few others.
    .where('prompt_versions.content', 'like', `%"${slug}"%`)
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
 * What names a partial: the published, the newest and the labelled versions of prompts, and the published and the newest
 * versions of other partials. A few of them if there are many.
 */
export const usesOfPartial = async (db: Reading, partial: PartialRow): Promise<readonly string[]> => {
  const { workspace_id: tenant, slug } = partial;
  const uses = new Set<string>();
  for (const { id, slug: user } of await versionsInUse(db, partial)) {
    const text = await readContent(db, tenant, id);
    if (text !== undefined && storedPartials(text).includes(slug)) uses.add(`the prompt "${user}"`);
    if (uses.size >= mostTold) return [...uses];
  }
  for (const { id, slug: user } of await partialsInUse(db, partial)) {
    const [{ text } = { text: '' }] = await readPartialTexts(db, tenant, [id]);
    const { template = { nodes: [] } } = parseTemplate(text);
    if (findPartials(template).some((each) => each.slug === slug)) uses.add(`the partial "${user}"`);
    if (uses.size >= mostTold) break;
  }
  return [...uses];
};
