import type { Reading } from '../../../kernel/records/records.ts';
import type { PartialRow } from '../../../kernel/store/tables/tables.ts';
import { storedPartials } from '../content/stored-content.ts';
import { readPartialTexts } from '../store/partial-store.ts';
import { readContent } from '../store/prompt-store.ts';
import { versionsInUse } from '../store/versions-in-use.ts';
import { findPartials } from '../templates/find-partials.ts';
import { parseTemplate } from '../templates/parse-template.ts';

/** The most uses that are told. */
const maxTold = 4;

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
  // All that have it in their list of partials, and few others.
  for (const { id, slug: user } of await versionsInUse(db, tenant, { having: `"${slug}"` })) {
    const text = await readContent(db, tenant, id);
    if (text !== undefined && storedPartials(text).includes(slug)) uses.add(`the prompt "${user}"`);
    if (uses.size >= maxTold) return [...uses];
  }
  for (const { id, slug: user } of await partialsInUse(db, partial)) {
    const [{ text } = { text: '' }] = await readPartialTexts(db, tenant, [id]);
    const { template = { nodes: [] } } = parseTemplate(text);
    if (findPartials(template).some((each) => each.slug === slug)) uses.add(`the partial "${user}"`);
    if (uses.size >= maxTold) break;
  }
  return [...uses];
};
