import type { Reading } from '../../../kernel/records/records.ts';

/** A version of a prompt that requests can get without saying its number. */
export interface VersionInUse {
  readonly id: string;
  /** Of the prompt. */
  readonly slug: string;
}

/**
 * The published, the newest and the labelled versions of a workspace's prompts whose content may have a text in it: `_` in
 * the text stands for any character.
 */
export const versionsInUse = (
  db: Reading,
  tenant: string,
  { having }: { readonly having: string },
): Promise<readonly VersionInUse[]> =>
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
