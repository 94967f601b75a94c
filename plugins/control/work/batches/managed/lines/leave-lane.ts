import { sql } from 'kysely';
import type { Writing } from '../../../../kernel/store/store.ts';
import type { BatchRow } from '../../../../kernel/store/tables/tables.ts';
import type { LineError } from '../../lines/validate-line.ts';
import { unreadable } from '../check/check-job.ts';
import type { BatchJobParts } from '../records/batch-job-parts.ts';
import { changeBatch, findBatch } from '../records/batch-store.ts';
import { type BatchName, hurryEnd } from '../records/job-names.ts';

const revoked: LineError = {
  ...{ code: 'key_revoked', message: 'Whoever made the batch may not send requests to models any more.' },
  ...{ param: null, line: null },
};

/** Why a lane ends its whole batch. */
export type LaneEnding = 'revoked' | 'expired' | 'unreadable';

const toErrors = (error: LineError): Pick<BatchRow, 'errors'> => ({ errors: JSON.stringify([error]) });

const changes: { readonly [Ending in LaneEnding]: (now: number) => Partial<BatchRow> } = {
  revoked: (now) => ({ status: 'cancelling', ending: 'cancelled', cancelling_at: now, ...toErrors(revoked) }),
  expired: (now) => ({ status: 'finalizing', ending: 'expired', finalizing_at: now }),
  unreadable: (now) => ({ status: 'finalizing', ending: 'failed', finalizing_at: now, ...toErrors(unreadable) }),
};

interface Leaving {
  readonly name: BatchName;
  readonly ending?: LaneEnding | undefined;
}

/** Takes a lane out of its batch; when no lane is left, the batch's files are written. */
export const leaveLane = async (
  { jobs, clock }: Pick<BatchJobParts, 'jobs' | 'clock'>,
  writing: Writing,
  { name, ending }: Leaving,
): Promise<void> => {
  const { id } = name;
  const lanesLeft = sql<number>`lanes_left - 1`;
  await writing.updateTable('batches').set({ lanes_left: lanesLeft }).where('id', '=', id).execute();
  const row = await findBatch(writing, name);
  if (row === undefined) return;
  const now = clock.wall();
  if (row.status === 'in_progress' && ending !== undefined) await changeBatch(writing, id, changes[ending](now));
  else if (row.status === 'in_progress' && row.lanes_left === 0)
    await changeBatch(writing, id, { status: 'finalizing', finalizing_at: now });
  if (row.lanes_left === 0 || ending !== undefined) await hurryEnd(jobs, writing, id);
};
