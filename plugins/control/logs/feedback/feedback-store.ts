import type { LogRow } from '../store/log-columns.ts';
import type { LogStore } from '../store/log-store.ts';

export type FeedbackRow = LogRow<'log_feedback'>;

/** More feedback on one trace is not shown with its records. */
const maxListed = 100;

/** The feedback on a trace of a workspace, the newest first. */
export const listFeedback = (
  { db }: Pick<LogStore, 'db'>,
  tenant: string,
  trace: string,
): Promise<readonly FeedbackRow[]> =>
  db
    .selectFrom('log_feedback')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('trace_id', '=', trace)
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();

export const insertFeedback = ({ write }: Pick<LogStore, 'write'>, rows: readonly FeedbackRow[]): Promise<void> =>
  write(async (writing) => {
    await writing
      .insertInto('log_feedback')
      .values([...rows])
      .execute();
  });

/** Changes the feedback of a workspace with an id, and resolves with it as it is then; undefined if there is none. */
export const changeFeedback = (
  { write }: Pick<LogStore, 'write'>,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  changed: Partial<Pick<FeedbackRow, 'value' | 'weight' | 'metadata'>> & Pick<FeedbackRow, 'updated_at'>,
): Promise<FeedbackRow | undefined> =>
  write(async (writing) => {
    await writing
      .updateTable('log_feedback')
      .set(changed)
      .where('workspace_id', '=', tenant)
      .where('id', '=', id)
      .execute();
    return writing
      .selectFrom('log_feedback')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
  });
