import { sql } from 'kysely';
import { dayMs } from '../../../../schema/durations.ts';
import { takeTurn } from '../store/in-turn.ts';
import { journalShare, type LogStore, type LogWriting } from '../store/log-store.ts';
import { hasRecordsBefore, takeOldestBefore } from '../store/records-before.ts';
import { toFirstId } from '../store/stored-id.ts';
import { deleteOldestRecords, takeFirst } from './delete-records.ts';
import { addBytes, hourKey } from './write-records.ts';

/** What is kept: records for so many days, and no more than so many bytes of them, the journal of a file included. */
export interface Kept {
  readonly days: number;
  readonly bytes: number;
}

/** Hours outlast their records: they are small, and people compare years. */
const hourDays = 400;
const stepHours = 2000;
/** Deleting goes on until so much of the size is left, so that it does not begin anew at once. */
const leftShare = 0.95;

/** Any number, which the process locks that deletes: "gw" and "lr" as bytes. */
const deletingLock = 0x67776c72;

/** Whether this process may delete; others go on meanwhile. */
const mayDelete = async (writing: LogWriting, kind: LogStore['kind']): Promise<boolean> => {
  if (kind === 'sqlite') return true;
  const { rows } = await sql<{
    taken: boolean;
  }>`select pg_try_advisory_xact_lock(${sql.lit(deletingLock)}) as taken`.execute(writing);
  return rows[0]?.taken === true;
};

/** What an earlier version has written is older than all others, and goes first. */
const deleteBefore = async (writing: LogWriting, kind: LogStore['kind'], oldest: Oldest): Promise<number> => {
  await takeTurn(writing, kind);
  if (!(await hasRecordsBefore(writing, kind))) return 0;
  const { time = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = oldest;
  const records = await takeOldestBefore(writing, kind, {
    before: Number.isFinite(time) ? toFirstId(time) : undefined,
    choose: (found) => takeFirst(found, (record) => record.bytes, bytes),
  });
  await addBytes(writing, kind, -records.reduce((sum, record) => sum + record.bytes, 0));
  return records.length;
};

interface Oldest {
  /** Only records before this time, in milliseconds since the epoch. */
  readonly time?: number;
  /** No more than have so many bytes, but one at least. */
  readonly bytes?: number;
}

/** Deletes the oldest records. Resolves with how many there were. */
const deleteOldest = ({ kind, write }: LogStore, oldest: Oldest): Promise<number> =>
  write(async (writing) => {
    if (!(await mayDelete(writing, kind))) return 0;
    const before = await deleteBefore(writing, kind, oldest);
    return before > 0 ? before : deleteOldestRecords(writing, kind, oldest);
  });

const deleteHours = ({ kind, write }: LogStore, before: number): Promise<number> =>
  write(async (writing) => {
    if (!(await mayDelete(writing, kind))) return 0;
    const { numAffectedRows = 0n } = await sql`delete from log_hours where (${hourKey}) in (
      select ${hourKey} from log_hours where hour < ${before} order by hour limit ${stepHours})`.execute(writing);
    return Number(numAffectedRows);
  });

const deleteFeedback = ({ write }: LogStore, before: number): Promise<void> =>
  write(async (writing) => {
    await writing.deleteFrom('log_feedback').where('created_at', '<', before).execute();
  });

export interface RetentionOptions {
  readonly store: LogStore;
  readonly kept: Kept;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Waits between two steps, so that others get their turn; resolves with whether to go on. */
  readonly pause: () => Promise<boolean>;
}

/** Deletes what is too old, then the oldest until the rest is small enough. Rejects as the store does. */
export const retain = async ({ store, kept, now, pause }: RetentionOptions): Promise<void> => {
  const oldest = now - kept.days * dayMs;
  while ((await deleteOldest(store, { time: oldest })) > 0) if (!(await pause())) return;
  while ((await deleteHours(store, now - Math.max(hourDays, kept.days) * dayMs)) > 0) if (!(await pause())) return;
  await deleteFeedback(store, oldest);
  const maxBytes = kept.bytes - Math.min(store.journalBytes, kept.bytes * journalShare);
  if ((await store.size()) > maxBytes) {
    const enough = maxBytes * leftShare;
    for (let over = (await store.size()) - enough; over > 0; over = (await store.size()) - enough) {
      if ((await deleteOldest(store, { bytes: over })) === 0) break;
      if (!(await pause())) return;
    }
    // Nothing but hours is left, of too many kinds.
    while ((await store.size()) > enough && (await deleteHours(store, now)) > 0) if (!(await pause())) return;
  }
  await store.shrink();
  // As long as that helps: another process that reads keeps a journal as it is.
  for (let before = Number.POSITIVE_INFINITY, now = await store.fileBytes(); now > kept.bytes && now < before; ) {
    if (!(await pause())) return;
    await store.shrink();
    before = now;
    now = await store.fileBytes();
  }
};
