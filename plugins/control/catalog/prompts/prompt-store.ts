import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { showRow } from '../../kernel/records/show-rows.ts';
import type { KeyScope } from '../../kernel/requests/request-scope.ts';
import { createVersionedStore, type VersionedStore } from '../../kernel/resource/versioned-store.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { PartialRow, PartialVersionRow, PromptRow, PromptVersionRow } from '../../kernel/store/tables.ts';
import type { StoredVersion } from './prompt-content.ts';

/** A version of a prompt: by its number, the newest, the published one, or the one with a label. */
export type VersionName = number | 'latest' | 'published' | { readonly label: string };

/**
 * A prompt and its version, named by `greeting`, `greeting@12`, `greeting@latest`, `greeting@published` or `greeting@<label>`.
 */
export interface PromptReference {
  /** The id or slug of the prompt. */
  readonly name: string;
  /** The published version if none is named. */
  readonly version: VersionName;
}

const pattern = /^(?<name>[a-zA-Z0-9_-]{1,255})(?:@(?<version>[a-zA-Z0-9_-]{1,255}))?$/;

const toVersion = (version: string): VersionName => {
  if (version === 'latest' || version === 'published') return version;
  return /^[1-9]\d{0,8}$/.test(version) ? Number(version) : { label: version };
};

/** Parses a reference to a prompt and version; returns undefined if the text is not a reference. */
export const promptReference = (text: string): PromptReference | undefined => {
  const { name, version = 'published' } = pattern.exec(text)?.groups ?? {};
  return name === undefined ? undefined : { name, version: toVersion(version) };
};

/** The workspace of the prompts, and the id of the acting key. */
export type PromptCaller = Pick<KeyScope, 'tenant' | 'keyId'>;

/**
 * Returns the columns that every new version has, of a prompt or of a partial; `createdAt` is in milliseconds since the epoch.
 */
export const newVersion = (
  { tenant, keyId }: PromptCaller,
  { createdAt, description }: { readonly createdAt: number; readonly description: string | undefined },
): Omit<PromptVersionRow, 'prompt_id' | 'number' | 'content'> => ({
  id: newId(createdAt),
  workspace_id: tenant,
  description: description ?? null,
  created_by: keyId ?? null,
  created_at: createdAt,
});

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

/** Returns a version of a prompt, without its content. */
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

/** Returns a version with its content, and the stored text of both; undefined if it was deleted. */
export const readVersion = async (
  db: Reading,
  tenant: string,
  versionId: string,
): Promise<(StoredVersion & { readonly text: string }) | undefined> => {
  const row = await db
    .selectFrom('prompt_versions')
    .select('content')
    .where('workspace_id', '=', tenant)
    .where('id', '=', versionId)
    .executeTakeFirst();
  // The store contains only what the rules accepted.
  if (row === undefined) return undefined;
  const stored = showRow('version of a prompt', { id: versionId }, () => fromJson(row.content) as StoredVersion);
  return { ...stored, text: row.content };
};

/** The labels of a prompt's versions, by the numbers of the versions. */
export type LabelledVersions = ReadonlyMap<number, readonly string[]>;

/** Returns which versions of a prompt have labels. */
export const labelledVersions = async (
  db: Reading,
  { id, workspace_id }: Pick<PromptRow, 'id' | 'workspace_id'>,
): Promise<LabelledVersions> => {
  const rows = await db
    .selectFrom('prompt_labels')
    .innerJoin('labels', 'labels.id', 'prompt_labels.label_id')
    .select(['labels.name', 'prompt_labels.version'])
    .where('prompt_labels.workspace_id', '=', workspace_id)
    .where('prompt_labels.prompt_id', '=', id)
    .orderBy('labels.name')
    .execute();
  const byVersion = Map.groupBy(rows, ({ version }) => version);
  return new Map(Array.from(byVersion, ([version, labels]) => [version, labels.map(({ name }) => name)]));
};

/** Moves a label to a version of a prompt, from any other version that has it; without a version, removes it. */
export const placeLabel = async (
  writing: Writing,
  { row, label, version }: { readonly row: PromptRow; readonly label: string; readonly version: number | null },
): Promise<void> => {
  const { id: prompt_id, workspace_id } = row;
  await writing
    .deleteFrom('prompt_labels')
    .where('workspace_id', '=', workspace_id)
    .where('prompt_id', '=', prompt_id)
    .where('label_id', '=', label)
    .execute();
  if (version !== null)
    await writing.insertInto('prompt_labels').values({ prompt_id, label_id: label, workspace_id, version }).execute();
};

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
