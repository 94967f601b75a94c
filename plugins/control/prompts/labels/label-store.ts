import { countOf, type Listed, meant, type Part, partOf, type Reading } from '../../saved/records.ts';
import type { Store, Writing } from '../../store/store.ts';
import type { LabelRow, PromptRow } from '../../store/tables.ts';

/** The names of the labels of a prompt's versions, by the number of the version. */
export type LabelledVersions = ReadonlyMap<number, readonly string[]>;

const inWorkspace = (db: Reading, tenant: string) => db.selectFrom('labels').where('workspace_id', '=', tenant);

/** The label of a workspace that an id or a name names; an id is looked for first. */
export const findLabel = async (db: Reading, tenant: string, name: string): Promise<LabelRow | undefined> =>
  meant(
    await inWorkspace(db, tenant)
      .selectAll()
      .where((where) => where.or({ id: name, name }))
      .execute(),
    name,
  );

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

export const countLabels = (db: Reading, tenant: string): Promise<number> => countOf(inWorkspace(db, tenant));

/** The labels of a workspace, the newest first. */
export const listLabels = (db: Reading, tenant: string, part: Part): Promise<Listed<LabelRow>> =>
  partOf(inWorkspace(db, tenant).selectAll().orderBy('id', 'desc'), part);

export const insertLabel = async (writing: Writing, row: LabelRow): Promise<void> => {
  await writing.insertInto('labels').values(row).execute();
};

/** Changes a label, by the new name of which references name it from here on. */
export const changeLabel = async (store: Store, writing: Writing, row: LabelRow): Promise<void> => {
  const { id, workspace_id, name, description, colour, updated_at } = row;
  await writing
    .updateTable('labels')
    .set({ name, description, colour, updated_at })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute();
  await store.bump(writing, 'plans', workspace_id);
};

/** Deletes a label, and takes it from all versions. */
export const deleteLabel = async (store: Store, writing: Writing, { id, workspace_id }: LabelRow): Promise<void> => {
  await writing
    .deleteFrom('prompt_labels')
    .where('workspace_id', '=', workspace_id)
    .where('label_id', '=', id)
    .execute();
  await writing.deleteFrom('labels').where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
  await store.bump(writing, 'plans', workspace_id);
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
