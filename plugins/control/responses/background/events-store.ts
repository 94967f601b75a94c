import type { TenantId } from '../../../sdk/exchange.ts';
import type { Reading } from '../../saved/records.ts';
import type { Writing } from '../../store/store.ts';
import type { ResponseEventsRow, ResponseRow } from '../../store/tables.ts';

export interface OneBackground {
  readonly tenant: TenantId;
  readonly id: string;
}

/** The status of a response; undefined if it is gone. */
export const statusOf = async (db: Reading, { tenant, id }: OneBackground): Promise<string | undefined> => {
  const row = await db
    .selectFrom('responses')
    .select('status')
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status;
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
