import type { Reading } from '../../../kernel/records/records.ts';
import type { Writing } from '../../../kernel/store/store.ts';
import type { PromptRow } from '../../../kernel/store/tables/tables.ts';

/** The names of the labels of a prompt's versions, by the number of the version. */
export type LabelledVersions = ReadonlyMap<number, readonly string[]>;

/** Which versions of a prompt have labels. */
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

/** Gives a label to a version of a prompt, and takes it from any other of it; without a version it only takes it. */
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
