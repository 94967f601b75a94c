import { isNonEmpty } from '../../../../schema/json/json.ts';
import { pruneSteps } from '../../kernel/jobs/prune-hourly.ts';
import { countRows, type PageResult, type Reading, type ResourcePage } from '../../kernel/records/records.ts';
import { storableRow } from '../../kernel/store/rows/storable.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { AuditRow } from '../../kernel/store/tables.ts';

/** The record of a change, or of a limit that was reached. It contains no body, and so no secret. */
export interface AuditRecord {
  /** Unique. A record that is written again with the same id is stored only once. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly organisation: string;
  /** Absent if the record concerns a whole organisation. */
  readonly workspace?: string | undefined;
  readonly method: string;
  /** The path, without its query. */
  readonly uri: string;
  /** The id of the key that acted, `gateway`, or `unknown` for refused keys that are not in the store. */
  readonly actor: string;
  /** The name used in scopes: `policies`. */
  readonly resourceType: string;
  /** The name used in scopes: `update`; `limit_reached` for limits, `refused` for keys. */
  readonly action: string;
  /** The status of the response. */
  readonly status: number;
  readonly clientIp?: string | undefined;
  /** Further details, as members of a JSON object. */
  readonly detail?: Readonly<Record<string, string | number>>;
}

const toRow = (record: AuditRecord): AuditRow =>
  storableRow(
    {
      id: record.id,
      at: record.at,
      organisation_id: record.organisation,
      workspace_id: record.workspace ?? null,
      method: record.method,
      uri: record.uri,
      actor: record.actor,
      resource_type: record.resourceType,
      action: record.action,
      status: record.status,
      client_ip: record.clientIp ?? null,
      detail: record.detail === undefined ? null : JSON.stringify(record.detail),
    },
    ['detail'],
  );

/** Writes a record; returns false if it existed already. */
export const insertAudit = async (writing: Writing, record: AuditRecord): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await writing
    .insertInto('audit_log')
    .values(toRow(record))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
};

/** How many records are deleted in one transaction, because others wait for it. */
const step = 500;

const pruneStep = async (writing: Writing, before: number): Promise<bigint> => {
  // By organisation, because the index of times begins with it.
  const old = writing
    .selectFrom('organisations')
    .innerJoin('audit_log as old', 'old.organisation_id', 'organisations.id')
    .select('old.id')
    .where('old.at', '<', before)
    .limit(step);
  const { numDeletedRows } = await writing.deleteFrom('audit_log').where('id', 'in', old).executeTakeFirstOrThrow();
  return numDeletedRows;
};

/** Deletes the records older than a time (milliseconds since the epoch), until `isOver` returns true or none are left. */
export const pruneAudits = (store: Pick<Store, 'write'>, before: number, isOver: () => boolean): Promise<void> =>
  pruneSteps(() => store.write((writing) => pruneStep(writing, before)), isOver);

/** The records to read: those of an organisation, or of one of its workspaces. */
export interface AuditQuery extends ResourcePage {
  readonly organisation: string;
  readonly workspace?: string;
  readonly resourceType?: string | undefined;
  readonly action?: string | undefined;
}

/** Returns a page of records, the newest first, and their total number. */
export const listAudits = async (
  db: Reading,
  { organisation, workspace, resourceType, action, after, limit, offset }: AuditQuery,
): Promise<PageResult<AuditRow>> => {
  let query = db.selectFrom('audit_log').selectAll().where('organisation_id', '=', organisation);
  if (workspace !== undefined) query = query.where('workspace_id', '=', workspace);
  if (resourceType !== undefined) query = query.where('resource_type', '=', resourceType);
  if (action !== undefined) query = query.where('action', '=', action);
  const last =
    after === undefined ? undefined : await query.select(['at', 'id']).where('id', '=', after).executeTakeFirst();
  // Nothing comes after a record that does not exist.
  if (after !== undefined && last === undefined) return { total: await countRows(query), rows: [] };
  const listed =
    last === undefined
      ? query
      : query.where((where) =>
          where.or([where('at', '<', last.at), where.and([where('at', '=', last.at), where('id', '<', last.id)])]),
        );
  return {
    total: await countRows(query),
    rows: await listed.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  };
};

/** Changes the ids of records, so that the same event is reported again the next time it happens. */
export const allowRepeatedAudits = async (
  writing: Writing,
  ids: readonly string[],
  newId: () => string,
): Promise<void> => {
  for (const id of ids) await writing.updateTable('audit_log').set({ id: newId() }).where('id', '=', id).execute();
};

/** Returns the ids that have a record. */
export const knownAudits = async (db: Reading, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (!isNonEmpty(ids)) return new Set();
  const rows = await db.selectFrom('audit_log').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
};
