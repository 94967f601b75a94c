import { sql } from 'kysely';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import { lacksNulCharacters, type Reading } from '../../../kernel/records/records.ts';
import { pruneSteps } from '../../../kernel/store/prune-steps.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { ResponseRow } from '../../../kernel/store/tables/tables.ts';

/** A response that is wanted, at a time in milliseconds since the epoch. */
export interface WantedResponse {
  readonly tenant: TenantId;
  readonly id: string;
  readonly now: number;
}

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

/** Whether another tenant has a response of this id. */
export const isOfAnother = async (
  db: Reading,
  { tenant, id }: Pick<WantedResponse, 'tenant' | 'id'>,
): Promise<boolean> => {
  const row = await db
    .selectFrom('responses')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '<>', tenant)
    .executeTakeFirst();
  return row !== undefined;
};

export interface ChainLink extends Pick<ResponseRow, 'id' | 'previous_id' | 'bytes'> {
  readonly depth: number;
}

/** A response and those before it, the latest first, at most so many. */
export const readLinks = async (
  db: Store['db'],
  { tenant, id, now }: WantedResponse,
  most: number,
): Promise<readonly ChainLink[]> => {
  const { rows } = await sql<ChainLink>`
    with recursive chain (id, previous_id, bytes, depth) as (
      select id, previous_id, bytes, 1 from responses
        where workspace_id = ${tenant} and id = ${id} and expires_at > ${now}
      union all
      select kept.id, kept.previous_id, kept.bytes, chain.depth + 1 from responses kept
        join chain on kept.id = chain.previous_id
        where kept.workspace_id = ${tenant} and kept.expires_at > ${now} and chain.depth < ${most}
    )
    select id, previous_id, bytes, depth from chain order by depth`.execute(db);
  return rows;
};

/** Responses by their ids, in any order. */
export const readResponses = (db: Reading, tenant: TenantId, ids: readonly string[]): Promise<readonly ResponseRow[]> =>
  db.selectFrom('responses').selectAll().where('workspace_id', '=', tenant).where('id', 'in', ids).execute();

/** Answers false, and changes nothing, if there is one with its id. */
export const insertResponse = async (writing: Writing, row: ResponseRow): Promise<boolean> => {
  const inserted = await writing
    .insertInto('responses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** Those that another continues are kept as long as that, and a little longer where they would not have been. */
export const keepUntil = async (
  writing: Writing,
  tenant: TenantId,
  { ids, until, slackMs }: { readonly ids: readonly string[]; readonly until: number; readonly slackMs: number },
): Promise<void> => {
  if (ids.length === 0) return;
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
  const deleted = await writing
    .deleteFrom('responses')
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
};

/** Rows that one write deletes. */
const step = 200;

/** Deletes what has expired, in steps. */
export const pruneResponses = (store: Store, now: number, isOver: () => boolean): Promise<void> =>
  pruneSteps(async () => {
    const rows = await store.db
      .selectFrom('responses')
      .select(['workspace_id', 'id'])
      .where('expires_at', '<=', now)
      .limit(step)
      .execute();
    if (rows.length === 0) return 0;
    await store.write(async (writing) => {
      for (const { workspace_id, id } of rows) await deleteResponse(writing, workspace_id as TenantId, id);
    });
    return rows.length;
  }, isOver);
