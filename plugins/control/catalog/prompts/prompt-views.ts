import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { listSchema, objectSchema, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { PromptRow } from '../../kernel/store/tables/tables.ts';
import { promptContentMembers, promptContentRequired } from './content/prompt-content.ts';
import type { PromptRecord } from './prompt-service.ts';
import type { LabelledVersions, PromptVersionHead } from './store/prompt-store.ts';
import type { ChangedPrompt } from './versions/prompt-parts.ts';

const number = { type: 'integer', description: 'Its number; the first is 1.' } as const;
const labels = { type: 'array', items: text, description: 'The labels of this version.' } as const;

const head = {
  object: { const: 'prompt' },
  ...{ id: text, slug: text, name: text, workspace_id: text, collection_id: textOrNull },
  published_version: { type: 'integer', description: 'The number of the published version.' },
  ...{ created_at: seconds, last_updated_at: seconds },
} as const satisfies { readonly [name: string]: ParameterSchema };

const required: readonly string[] = promptContentRequired;
const contentMembers = (isRequired: boolean): { readonly [name: string]: ParameterSchema } =>
  Object.fromEntries(Object.entries(promptContentMembers).filter(([name]) => required.includes(name) === isRequired));

const version = {
  object: { const: 'prompt-version' },
  ...{ id: text, prompt_id: text, version: number, version_description: textOrNull, labels },
  is_published: { type: 'boolean' },
  ...{ created_by: textOrNull, created_at: seconds },
} as const satisfies { readonly [name: string]: ParameterSchema };

/** What the routes of prompts answer. */
export const promptReplies: Readonly<Record<'prompt' | 'prompts' | 'versions' | 'changed', ParameterSchema>> = {
  prompt: titled(
    'Prompt',
    objectSchema(
      {
        ...head,
        ...{ version: number, version_id: text, version_description: textOrNull, labels },
        ...contentMembers(true),
      },
      contentMembers(false),
    ),
  ),
  prompts: listSchema(titled('PromptSummary', objectSchema(head))),
  versions: listSchema(titled('PromptVersion', objectSchema(version))),
  changed: titled(
    'SavedPrompt',
    objectSchema({
      ...{ id: text, slug: text, object: { const: 'prompt' } },
      version_id: { type: 'string', description: 'The id of the version that was made or published.' },
    }),
  ),
};

export const changedView = ({ row: { id, slug }, versionId }: ChangedPrompt): JsonObject => ({
  ...{ id, slug, version_id: versionId, object: 'prompt' },
});

export const promptHead = (row: PromptRow): JsonObject => ({
  object: 'prompt',
  id: row.id,
  slug: row.slug,
  name: row.name,
  workspace_id: row.workspace_id,
  collection_id: row.collection_id,
  published_version: row.published,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

export const promptView = ({ row, version: shown, content, labels: labelled }: PromptRecord): JsonObject => ({
  ...promptHead(row),
  version: shown.number,
  version_id: shown.id,
  version_description: shown.description,
  labels: labelled.get(shown.number) ?? [],
  ...content,
});

export const versionView = (
  row: PromptVersionHead,
  { published, labelled }: { readonly published: number; readonly labelled: LabelledVersions },
): JsonObject => ({
  object: 'prompt-version',
  id: row.id,
  prompt_id: row.prompt_id,
  version: row.number,
  version_description: row.description,
  labels: labelled.get(row.number) ?? [],
  is_published: row.number === published,
  created_by: row.created_by,
  created_at: toSeconds(row.created_at),
});
