import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { activePolicies, countActive } from '../../kernel/limits/active-policies.ts';
import { labelsRead } from '../../kernel/limits/conditions.ts';
import { changedLimits, type OwnLimitsBody, shownLimits } from '../../kernel/limits/own-limits.ts';
import { countRows, type Reading } from '../../kernel/records/records.ts';
import { showRows } from '../../kernel/records/show-rows.ts';
import { type StoredSettings, storedSettings } from '../../kernel/records/stored-settings.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { conflict, refuse, refuseForbidden } from '../../kernel/requests/refusals.ts';
import type { Prepared, Resource, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import type { ResourceCaller } from '../../kernel/resource/ownership.ts';
import { countOwned } from '../../kernel/resource/resource-queries.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { WorkspaceRow } from '../../kernel/store/tables.ts';
import {
  changedSettings,
  changeOrganisation,
  type SettingsChange,
  settingsErrors,
  validateDefaults,
} from './settings-change.ts';

/**
 * Lists the labels that a caller of one workspace may not change there: those that policies read, because limits apply to its own
 * requests by them.
 */
const readLabelsErrors = async (
  db: Reading,
  { reach }: Pick<ResourceCaller, 'reach'>,
  {
    workspace: { id, organisation_id },
    before,
    change,
  }: {
    readonly workspace: Pick<WorkspaceRow, 'id' | 'organisation_id'>;
    readonly before: StoredSettings;
    readonly change: SettingsChange;
  },
): Promise<readonly Problem[]> => {
  if (reach === 'organisation' || change.metadata === undefined) return [];
  const [was, becomes] = [before.metadata ?? {}, change.metadata ?? {}];
  const changed = [...new Set([...Object.keys(was), ...Object.keys(becomes)])].filter(
    (name) => was[name] !== becomes[name],
  );
  if (changed.length === 0) return [];
  const read = labelsRead(await activePolicies(db, { organisation: organisation_id, workspace: id }));
  return changed
    .filter((name) => read.has(name))
    .map((name) =>
      problem(
        ['settings', 'metadata', name],
        `Policies of the workspace read the label ${JSON.stringify(name)}, which a caller of the workspace cannot change.`,
        'Leave it as it is, or use a key of the organisation.',
      ),
    );
};

/**
 * Notes a change of a workspace in its organisation, so that processes that follow either see it, and a change of its limits,
 * which carry its name.
 */
const noteChange = async (store: Store, writing: Writing, row: WorkspaceRow): Promise<void> => {
  await changeOrganisation(store, writing, { id: row.organisation_id, change: { now: row.updated_at } });
  await store.bump(writing, 'plans', row.id);
  await store.bump(writing, 'policies', row.id);
};

/** Converts settings and limits to columns. The records that settings name must exist when they are written. */
export const prepareWorkspace = async (
  parts: ResourceParts,
  {
    caller,
    body: { settings = {}, ...limits },
    row,
    before,
    problems,
  }: Writes<WorkspaceRow, OwnLimitsBody & { readonly settings?: SettingsChange }>,
): Promise<Prepared<WorkspaceRow>> => {
  const { store, now, overlay } = parts;
  const place = { overlay, organisation: row.organisation_id, workspace: row.id, ofWorkspace: true };
  const unusable = await validateDefaults(parts, place, settings);
  const stored = before === undefined ? {} : storedSettings('workspace', before);
  const validate = async (db: Reading): Promise<void> => {
    refuse([...problems, ...(await settingsErrors(db, place, settings)), ...unusable]);
    if (before !== undefined)
      refuseForbidden(await readLabelsErrors(db, caller, { workspace: before, before: stored, change: settings }));
  };
  // A dry run ends here.
  await validate(store.db);
  return {
    columns: {
      settings: JSON.stringify(changedSettings(stored, settings)),
      limits: changedLimits(limits, { before: before?.limits ?? null, now: now() }),
    },
    async check(db, after) {
      await validate(db);
      await noteChange(store, db, after);
    },
  };
};

/** Returns the members of workspaces that are not columns, at a time (milliseconds since the epoch). */
export const showWorkspaces = (rows: readonly WorkspaceRow[], now: number): readonly object[] =>
  showRows('workspace', rows, (row) => ({
    settings: changedSettings(storedSettings('workspace', row), {}),
    ...shownLimits(row.limits, now),
  }));

/** A kind of record in a workspace: a table, and the words for one of its records and for several. */
export type Content = Pick<Resource, 'table' | 'noun' | 'plural'>;

const counted = (count: number, { noun, plural }: Omit<Content, 'table'>): readonly string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${noun}` : `${count} ${plural}`];

/** Counts, in words, the keys of a workspace that are not revoked, its saved records, and its policies in force. */
const readContents = async (
  db: Reading,
  workspace: string,
  contents: readonly Content[],
): Promise<readonly string[]> => {
  const keys = db.selectFrom('keys').where('workspace_id', '=', workspace).where('status', '!=', 'revoked');
  const found = [...counted(await countRows(keys), { noun: 'service key', plural: 'service keys' })];
  for (const content of contents) {
    const inside = { table: content.table, owner: 'workspace' } as const;
    found.push(...counted(await countOwned(db, inside, { workspace_id: workspace }), content));
  }
  found.push(...counted(await countActive(db, workspace), { noun: 'policy', plural: 'policies' }));
  return found;
};

/** Returns the JSON of a list, or of an object, without one name; the text itself if it has another form. */
const withoutName = (text: string | null, name: string): string | null => {
  const value = text === null ? undefined : parseJson(text);
  if (Array.isArray(value)) return JSON.stringify(value.filter((each: Json) => each !== name));
  if (!isJsonObject(value)) return text;
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)));
};

/** Removes a workspace from the integrations of its organisation that list or limit it. Otherwise nobody could send them back. */
const leaveIntegrations = async (db: Writing, { id, organisation_id }: WorkspaceRow, now: number): Promise<void> => {
  const named = `%"${id}"%`;
  const rows = await db
    .selectFrom('integrations')
    .select(['id', 'workspaces', 'workspace_limits', 'updated_at'])
    .where('organisation_id', '=', organisation_id)
    .where((where) => where.or([where('workspaces', 'like', named), where('workspace_limits', 'like', named)]))
    .execute();
  for (const row of rows)
    await db
      .updateTable('integrations')
      .set({
        workspaces: withoutName(row.workspaces, id),
        workspace_limits: withoutName(row.workspace_limits, id),
        updated_at: Math.max(now, row.updated_at + 1),
      })
      .where('id', '=', row.id)
      .execute();
};

/**
 * Deletes what nobody can use any more from a workspace: its revoked keys, archived policies, kept replies and data keys, and its
 * place in integrations. Throws the `GatewayError` `conflict` if the workspace is not empty.
 */
export const emptyWorkspace = async (
  db: Writing,
  row: WorkspaceRow,
  { parts: { store, now }, contents }: { readonly parts: ResourceParts; readonly contents: readonly Content[] },
): Promise<void> => {
  const { id, slug } = row;
  if (slug === 'default')
    throw conflict(
      'The workspace "default" cannot be deleted: keys of the organisation act in it.',
      'Delete what is in it, and leave it.',
    );
  const found = await readContents(db, id, contents);
  if (found.length > 0)
    throw conflict(
      `The workspace "${slug}" is not empty. It has ${found.join(', ')}.`,
      'Revoke its keys, and delete what is saved in it, first.',
    );
  await db.deleteFrom('keys').where('workspace_id', '=', id).where('status', '=', 'revoked').execute();
  await db.deleteFrom('policies').where('workspace_id', '=', id).where('status', '=', 'archived').execute();
  await db.deleteFrom('idempotency').where('workspace_id', '=', id).execute();
  await db.deleteFrom('data_keys').where('tenant', '=', id).execute();
  await leaveIntegrations(db, row, now());
  await noteChange(store, db, { ...row, updated_at: now() });
};
