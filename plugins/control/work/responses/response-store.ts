import { sql } from 'kysely';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { pruneSteps } from '../../kernel/jobs/prune-hourly.ts';
import { lacksNulCharacters, type Reading } from '../../kernel/records/records.ts';
import { jsonRows } from '../../kernel/store/rows/json-rows.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { ResponseEventsRow, ResponseRow } from '../../kernel/store/tables.ts';

/** A response of a tenant. */
export interface OneBackground {
  readonly tenant: TenantId;
  readonly id: string;
}

/** A requested response, at a time in milliseconds since the epoch. */
type WantedResponse = OneBackground & { readonly now: number };

export const findResponse = async (
  db: Reading,
  { tenant, id, now }: WantedResponse,
): Promise<ResponseRow | undefined> =>
  lacksNulCharacters(id)
    ? db
        .selectFrom('responses')
        .selectAll()
        .where('workspace_id', '=', tenant)
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst()
    : undefined;

/** Checks whether another tenant has a response with this id. */
export const isOfAnother = async (db: Reading, { tenant, id }: OneBackground): Promise<boolean> =>
  (await db
    .selectFrom('responses')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '<>', tenant)
    .executeTakeFirst()) !== undefined;

interface ChainLink extends Pick<ResponseRow, 'id' | 'previous_id' | 'bytes'> {
  readonly depth: number;
}

/** Reads a response and those before it, the latest first, up to a limit. */
export const readLinks = async (
  db: Store['db'],
  { tenant, id, now }: WantedResponse,
  max: number,
): Promise<readonly ChainLink[]> => {
  const { rows } = await sql<ChainLink>`
    with recursive chain (id, previous_id, bytes, depth) as (
      select id, previous_id, bytes, 1 from responses
        where workspace_id = ${tenant} and id = ${id} and expires_at > ${now}
      union all
      select kept.id, kept.previous_id, kept.bytes, chain.depth + 1 from responses kept
        join chain on kept.id = chain.previous_id
        where kept.workspace_id = ${tenant} and kept.expires_at > ${now} and chain.depth < ${max}
    )
    select id, previous_id, bytes, depth from chain order by depth`.execute(db);
  return rows;
};

/** Reads responses by their ids, in any order. */
export const readResponses = (db: Reading, tenant: TenantId, ids: readonly string[]): Promise<readonly ResponseRow[]> =>
  db.selectFrom('responses').selectAll().where('workspace_id', '=', tenant).where('id', 'in', ids).execute();

/** Inserts a response; changes nothing if its id exists. */
export const insertResponse = (writing: Writing, row: ResponseRow): Promise<unknown> =>
  writing
    .insertInto('responses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .execute();

/**
 * Keeps the responses that another one continues for as long as that one. A response that would expire earlier is kept `slackMs`
 * longer.
 */
export const keepUntil = async (
  writing: Writing,
  tenant: TenantId,
  { ids, until, slackMs }: { readonly ids: readonly string[]; readonly until: number; readonly slackMs: number },
): Promise<void> => {
  if (ids.length > 0)
    await writing
      .updateTable('responses')
      .set({ expires_at: until + slackMs })
      .where('workspace_id', '=', tenant)
      .where('id', 'in', ids)
      .where('expires_at', '<', until)
      .execute();
};

export const deleteResponse = async (writing: Writing, tenant: TenantId, id: string): Promise<boolean> => {
  await writing
    .deleteFrom('response_events')
    .where('workspace_id', '=', tenant)
    .where('response_id', '=', id)
    .execute();
  const { numDeletedRows } = await writing
    .deleteFrom('responses')
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** The number of rows that one write deletes. */
const step = 200;

/** Deletes expired responses, in steps. */
export const pruneResponses = (store: Store, now: number, isOver: () => boolean): Promise<void> =>
  pruneSteps(async () => {
    const rows = await store.db
      .selectFrom('responses')
      .select(['workspace_id', 'id'])
      .where('expires_at', '<=', now)
      .limit(step)
      .execute();
    if (rows.length > 0)
      await store.write(async (writing) => {
        for (const { workspace_id, id } of rows) await deleteResponse(writing, workspace_id as TenantId, id);
      });
    return rows.length;
  }, isOver);

/** Reads the status of a response; undefined if it is gone. */
export const readStatus = async (db: Reading, { tenant, id }: OneBackground): Promise<string | undefined> =>
  (
    await db
      .selectFrom('responses')
      .select('status')
      .where('workspace_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.status;

/** The progress of a response. */
export interface BackgroundState extends OneBackground {
  /** Undefined if the response is gone. */
  readonly status: string | undefined;
  /** The sequence number after its last event. */
  readonly following: number;
}

/** Reads the progress of several responses with one statement. */
export const readStates = async (
  { db, kind }: Pick<Store, 'db' | 'kind'>,
  all: readonly OneBackground[],
): Promise<readonly BackgroundState[]> => {
  const { rows } = await sql<{
    tenant: TenantId;
    id: string;
    status: string | null;
    following: number | string | null;
  }>`select given.tenant, given.id, responses.status, (
      select following from response_events
      where workspace_id = given.tenant and response_id = given.id order by number desc limit 1
    ) as following
    from ${jsonRows(kind, ['tenant', 'id'], all)} left join responses on responses.workspace_id = given.tenant and responses.id = given.id`.execute(
    db,
  );
  return rows.map(({ tenant, id, status, following }) => ({
    ...{ tenant, id, status: status ?? undefined, following: Number(following ?? 0) },
  }));
};

/** Reads the events from a sequence number on. */
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

/** Reads the sequence number of the next event. */
export const nextNumber = async (db: Reading, { tenant, id }: OneBackground): Promise<number> => {
  const { next } = await db
    .selectFrom('response_events')
    .select((select) => select.fn.max('following').as('next'))
    .where('workspace_id', '=', tenant)
    .where('response_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(next ?? 0);
};

export const insertEvents = (
  writing: Writing,
  { tenant, id }: OneBackground,
  row: Pick<ResponseEventsRow, 'number' | 'following' | 'events'>,
): Promise<unknown> =>
  writing
    .insertInto('response_events')
    .values({ workspace_id: tenant, response_id: id, ...row })
    .execute();

/** The columns that change when a response ends. */
export interface EndedColumns
  extends Pick<ResponseRow, 'status' | 'response'>,
    Partial<Pick<ResponseRow, 'slug' | 'scope'>> {
  /** How many bytes the response has grown; the size of its input is unchanged. */
  readonly grown: number;
}

export const endResponse = (
  writing: Writing,
  { tenant, id }: OneBackground,
  { grown, ...columns }: EndedColumns,
): Promise<unknown> =>
  writing
    .updateTable('responses')
    .set((column) => ({ ...columns, bytes: column('bytes', '+', grown) }))
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .execute();
