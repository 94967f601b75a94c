import type { Reading } from '../../../kernel/records/records.ts';
import { createVersionedStore, type VersionedStore } from '../../../kernel/resource/versioned-store.ts';
import type { PromptRow, PromptVersionRow } from '../../../kernel/store/tables/tables.ts';
import type { VersionName } from './prompt-reference.ts';

/** A version without its content. */
export type PromptVersionHead = Omit<PromptVersionRow, 'content'>;

export const promptStore: VersionedStore<PromptRow, PromptVersionRow, PromptVersionHead, PromptVersionHead> =
  createVersionedStore({
    noun: 'prompt',
    path: '/prompts',
    table: 'prompts',
    versions: 'prompt_versions',
    parent: 'prompt_id',
    changes: ['name', 'collection_id', 'published'],
    heads: ['id', 'prompt_id', 'workspace_id', 'number', 'description', 'created_by', 'created_at'],
    cascade: ['prompt_labels'],
  });

/** A version of a prompt, without its content. */
export const findVersionHead = (
  db: Reading,
  row: PromptRow,
  version: VersionName,
): Promise<PromptVersionHead | undefined> =>
  promptStore.findVersion(
    db,
    row,
    typeof version !== 'object'
      ? version
      : db
          .selectFrom('prompt_labels')
          .innerJoin('labels', 'labels.id', 'prompt_labels.label_id')
          .select('prompt_labels.version')
          .where('prompt_labels.workspace_id', '=', row.workspace_id)
          .where('prompt_labels.prompt_id', '=', row.id)
          .where('labels.name', '=', version.label),
  );

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
