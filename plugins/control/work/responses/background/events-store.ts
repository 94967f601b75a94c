import { sql } from 'kysely';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import { jsonRows } from '../../../kernel/store/rows/storable.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { ResponseEventsRow, ResponseRow } from '../../../kernel/store/tables/tables.ts';

export interface OneBackground {
  readonly tenant: TenantId;
  readonly id: string;
}

/** The status of a response; undefined if it is gone. */
export const readStatus = async (db: Reading, { tenant, id }: OneBackground): Promise<string | undefined> => {
  const row = await db
    .selectFrom('responses')
    .select('status')
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status;
};

/** How far a response has come. */
export interface BackgroundState extends OneBackground {
  /** Undefined if the response is gone. */
  readonly status: string | undefined;
  /** The sequence number behind its last event. */
  readonly following: number;
}

/** How far each of some responses has come, asked for by one statement. */
export const readStates = async (
  { db, kind }: Pick<Store, 'db' | 'kind'>,
  all: readonly OneBackground[],
): Promise<readonly BackgroundState[]> => {
  const given = jsonRows(kind, ['tenant', 'id'], all);
  const { rows } = await sql<{
    tenant: TenantId;
    id: string;
    status: string | null;
    following: number | string | null;
  }>`select given.tenant, given.id, responses.status, (
      select following from response_events
      where workspace_id = given.tenant and response_id = given.id order by number desc limit 1
    ) as following
    from ${given} left join responses on responses.workspace_id = given.tenant and responses.id = given.id`.execute(db);
  return rows.map(({ tenant, id, status, following }) => ({
    ...{ tenant, id, status: status ?? undefined, following: Number(following ?? 0) },
  }));
};

/** The events from a sequence number on. */
export const eventsFrom = (
  db: Reading,
  { tenant, id }: OneBackground,
  number: number,
): Promise<readonly ResponseEventsRow[]> =>
  db
    .selectFrom('response_events')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('response_id', '=', id)
    .where('following', '>', number)
    .orderBy('number')
    .limit(100)
    .execute();

/** The sequence number of the next event. */
export const nextNumber = async (db: Reading, { tenant, id }: OneBackground): Promise<number> => {
  const { next } = await db
    .selectFrom('response_events')
    .select((select) => select.fn.max('following').as('next'))
    .where('workspace_id', '=', tenant)
    .where('response_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(next ?? 0);
};

export const insertEvents = async (writing: Writing, row: ResponseEventsRow): Promise<void> => {
  await writing.insertInto('response_events').values(row).execute();
};

/** What changes of a response when it ends. */
export type EndedColumns = Pick<ResponseRow, 'status' | 'response' | 'bytes'> &
  Partial<Pick<ResponseRow, 'slug' | 'scope'>>;

export const endResponse = async (
  writing: Writing,
  { tenant, id }: OneBackground,
  columns: EndedColumns,
): Promise<void> => {
  await writing
    .updateTable('responses')
    .set(columns)
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .execute();
};
