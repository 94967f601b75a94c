import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Principal } from '../../../../sdk/exchange/exchange.ts';
import type { Cancellation } from '../../../../sdk/http/http.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import type { StoredCaller } from '../../../access/identity/principal-now.ts';
import type { BatchRow } from '../../../kernel/store/tables/tables.ts';
import { type BatchJobParts, type BatchName, findBatch } from './batch-store.ts';

/**
 * Why no more lines of a batch are begun: its ending; that its creator may not send requests any more; or that this process
 * does not run its lines any more, while others may.
 */
export type Stop = NonNullable<BatchRow['ending']> | 'revoked' | 'left';

/** A batch, seen while some of its lines run. */
export interface BatchWatch {
  /** As its creator is now. */
  principal(): Principal | undefined;
  stop(): Stop | undefined;
  /** Calls back when there is a reason to stop, and at once if there is. Returns a function that ends this. */
  onStop(run: () => void): () => void;
  /** Cancelled when requests that are under way have been waited for long enough. */
  readonly cancellation: Cancellation;
  close(): void;
}

/** How often it is looked at, in milliseconds. */
const everyMs = 500;
/** For how long requests that are under way are waited for, in milliseconds. */
const graceMs = 30_000;

/** Looks at a batch now, and again and again until it is closed. Rejects where the store is unavailable at first. */
export const watchBatch = async (
  { store, principalNow, clock }: Pick<BatchJobParts, 'store' | 'principalNow' | 'clock'>,
  name: BatchName,
  job: Cancellation,
): Promise<BatchWatch> => {
  const { cancellation, cancel } = createCancellation();
  const listeners = new Set<() => void>();
  let principal: Principal | undefined;
  let stop: Stop | undefined;
  let isClosed = false;
  let stopTimer = (): void => {};
  let stopGrace = (): void => {};

  const end = (why: Stop): void => {
    if (stop !== undefined) return;
    stop = why;
    if (!isClosed) stopGrace = clock.after(graceMs, cancel);
    for (const run of listeners) run();
  };

  const look = async (): Promise<void> => {
    const row = await findBatch(store.db, name);
    if (row === undefined) return end('left');
    if (row.status !== 'in_progress') return end(row.ending ?? 'cancelled');
    if (clock.wall() >= row.expires_at) return end('expired');
    principal = await principalNow(name.tenant, fromJson(row.creator) as StoredCaller);
    if (principal === undefined) end('revoked');
  };

  const again = (): void => {
    stopTimer = clock.after(everyMs, async () => {
      // While the store is unavailable, what was known goes on.
      await look().catch(() => {});
      if (!isClosed) again();
    });
  };

  const stopListening = job.onCancel(() => {
    cancel();
    end('left');
  });
  await look();
  again();
  return {
    principal: () => principal,
    stop: () => stop,
    onStop(run) {
      if (stop !== undefined) run();
      else listeners.add(run);
      return () => void listeners.delete(run);
    },
    cancellation,
    close() {
      isClosed = true;
      for (const each of [stopTimer, stopGrace, stopListening]) each();
    },
  };
};
