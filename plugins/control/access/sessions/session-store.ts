import { pruneSteps } from '../../kernel/jobs/prune-hourly.ts';
import type { Reading } from '../../kernel/records/records.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { SessionRow } from '../../kernel/store/tables.ts';
import { timeOfChange } from '../keys/key-store.ts';

/** The maximum number of open sessions per key. Another session ends the oldest. */
const maxOfKey = 16;

/** The maximum number of rows to delete in one transaction. */
const step = 500;

const goingOn = (db: Reading, now: number) =>
  db.selectFrom('sessions').where('ended_at', 'is', null).where('expires_at', '>', now);

const endThose = async (
  store: Pick<Store, 'bump'>,
  writing: Writing,
  { ids, now }: { readonly ids: readonly string[]; readonly now: number },
): Promise<void> => {
  if (ids.length === 0) return;
  const updated_at = await timeOfChange(writing, 'sessions', now);
  await writing
    .updateTable('sessions')
    .set({ ended_at: now, updated_at })
    .where('id', 'in', [...ids])
    .execute();
  await store.bump(writing, 'keys');
};

/** Ends the session whose token has this hash. Resolves to whether it was open. */
export const endSession = (store: Pick<Store, 'write' | 'bump'>, id: string, now: number): Promise<boolean> =>
  store.write(async (writing) => {
    const found = await goingOn(writing, now).select('id').where('id', '=', id).executeTakeFirst();
    await endThose(store, writing, { ids: found === undefined ? [] : [id], now });
    return found !== undefined;
  });

/** Adds a session. Ends the session that it replaces, and the oldest sessions of its key if there are too many. */
export const beginSession = (
  store: Pick<Store, 'write' | 'bump'>,
  { replaces, ...row }: Omit<SessionRow, 'updated_at' | 'ended_at'> & { readonly replaces?: string | undefined },
): Promise<void> =>
  store.write(async (writing) => {
    const now = row.created_at;
    const others = await goingOn(writing, now)
      .select('id')
      .where((where) => where.or([where('key_id', '=', row.key_id), where('id', '=', replaces ?? '')]))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const kept = others.map(({ id }) => id).filter((id) => id !== replaces);
    const ids = [...kept.slice(maxOfKey - 1), ...(kept.length < others.length && replaces ? [replaces] : [])];
    await endThose(store, writing, { ids, now });
    const updated_at = await timeOfChange(writing, 'sessions', now);
    await writing
      .insertInto('sessions')
      .values({ ...row, ended_at: null, updated_at })
      .execute();
    await store.bump(writing, 'keys');
  });

/** Returns the open session with a hash. */
export const findSession = (db: Reading, id: string, now: number): Promise<SessionRow | undefined> =>
  goingOn(db, now).selectAll().where('id', '=', id).executeTakeFirst();

/** Every process that follows sessions has read their end by then. */
const followedMs = 3_600_000;

/** Deletes the sessions that have expired or ended, until `isOver` returns true or none are left. */
export const pruneSessions = (store: Pick<Store, 'write'>, now: number, isOver: () => boolean): Promise<void> =>
  pruneSteps(
    () =>
      store.write(async (writing) => {
        const old = writing
          .selectFrom('sessions')
          .select('id')
          .where((where) => where.or([where('expires_at', '<=', now), where('ended_at', '<=', now - followedMs)]))
          .limit(step);
        const { numDeletedRows } = await writing
          .deleteFrom('sessions')
          .where('id', 'in', old)
          .executeTakeFirstOrThrow();
        return numDeletedRows;
      }),
    isOver,
  );
