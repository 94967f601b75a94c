import { sql } from 'kysely';
import { ownModule } from '../../../sdk/modules/own-module.ts';
import type { LogStore } from '../store/log-store.ts';
import { hasRecordsBefore } from '../store/records-before.ts';

const convertJob = ownModule('plugins/control/logs/writer/convert-job');

export interface ConvertOptions {
  readonly store: LogStore;
  /** Notifies the operator, one line each. */
  readonly say: (text: string) => void;
  /** Waits between two steps, so that others get their turn; resolves with whether to go on. */
  readonly pause: () => Promise<boolean>;
}

/**
 * Converts what an earlier version has written, the newest first, in small steps, each of which is complete or has not
 * happened. Rejects as the store does.
 */
export const convertEarlier = async ({ store, say, pause }: ConvertOptions): Promise<void> => {
  const { db, kind } = store;
  if (!(await hasRecordsBefore(db, kind))) return;
  const { n } = await db
    .selectFrom(sql<{ id: string }>`log_details_before`.as('earlier'))
    .select((each) => each.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (Number(n) > 0)
    say(
      `gw: The log has ${n} records of an earlier version. They are converted while requests are served, the newest first, and are shown as they are converted.\n`,
    );
  while (await hasRecordsBefore(db, kind)) {
    await store.perform(convertJob, new Uint8Array());
    if (!(await pause())) return;
  }
  if (Number(n) > 0) say('gw: The records of an earlier version are converted.\n');
};
