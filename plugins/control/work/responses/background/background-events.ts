import type { JsonObject } from '../../../../../schema/json/json.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import { jobDone, outlastStore, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import {
  type EndedColumns,
  endResponse,
  insertEvents,
  nextNumber,
  type OneBackground,
  readStatus,
} from '../stored/response-store.ts';
import type { ResponseParts } from './response-parts.ts';

/** The end of a response, and who made it. */
export interface BackgroundEnd extends Partial<Pick<EndedColumns, 'slug' | 'scope'>> {
  readonly response: JsonObject;
}

/**
 * The events of a response while a job makes it, numbered in their order. After another process has taken the job over, the
 * numbers go on behind those of its events.
 */
export interface BackgroundEvents {
  push(event: JsonObject): void;
  /** Writes what waits, and with an end the response too. Resolves to false if the response was cancelled, or is another job's. */
  write(end?: BackgroundEnd): Promise<boolean>;
  /** Ends what it watches. */
  close(): void;
}

export const openBackgroundEvents = async (
  { store, seals, feed }: Pick<ResponseParts, 'store' | 'seals' | 'feed'>,
  job: Pick<RunningJob, 'commit' | 'cancellation'>,
  one: OneBackground,
): Promise<BackgroundEvents> => {
  const { cancellation, cancel } = createCancellation();
  let next = await nextNumber(store.db, one);
  let pending: JsonObject[] = [];
  /** Whether it was cancelled, or is gone. */
  let isOver = false;
  void feed.ended({ ...one, cancellation }).then(() => {
    isOver = true;
  });

  return {
    push({ type, ...members }) {
      const number = next + pending.length;
      pending.push({ ...(type === undefined ? {} : { type }), ...members, sequence_number: number });
    },
    async write(end) {
      const events = pending;
      if (events.length === 0 && end === undefined) return !isOver;
      const number = next;
      pending = [];
      next += events.length;
      const following = next;
      const [sealed, columns] = await outlastStore(job, () =>
        Promise.all([seals.sealEvents({ ...one, number }, events), end && seals.sealEnd(one, end.response)]),
      );
      let isOpen = false;
      const outcome = await outlastStore(job, () =>
        job.commit(async (writing) => {
          isOpen = (await readStatus(writing, one)) === 'in_progress';
          if (!isOpen) return;
          if (events.length > 0) await insertEvents(writing, one, { number, following, events: sealed });
          if (columns !== undefined) await endResponse(writing, one, { ...end, ...columns });
        }, end && jobDone),
      );
      return outcome === 'committed' && isOpen;
    },
    close: cancel,
  };
};
