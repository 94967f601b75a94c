import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Principal } from '../../../../sdk/exchange/exchange.ts';
import type { Cancellation } from '../../../../sdk/http/http.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import type { StoredCaller } from '../../../access/identity/principal-now.ts';
import type { BatchRow } from '../../../kernel/store/tables.ts';
import { type BatchJobParts, type BatchName, findBatch } from './batch-store.ts';

/**
 * Why no more lines of a batch are begun: its ending; that its creator may not send requests any more; or that this process
 * does not run its lines any more, while others may.
 */
export type Stop = NonNullable<BatchRow['ending']> | 'revoked' | 'left';

/** How often it is looked at, in milliseconds. */
const everyMs = 500;
/** For how long requests that are under way are waited for, in milliseconds. */
const graceMs = 30_000;

type WatchParts = Pick<BatchJobParts, 'store' | 'principalNow' | 'clock'>;

/** A batch, which is looked at again and again while some of its lines run, until it is closed. */
export class BatchWatch {
  readonly #parts: WatchParts;
  readonly #name: BatchName;
  readonly #listeners = new Set<() => void>();
  readonly #grace = createCancellation();
  #principal: Principal | undefined;
  #stop: Stop | undefined;
  #isClosed = false;
  #stopTimer = (): void => {};
  #stopGrace = (): void => {};
  readonly #stopListening: () => void;

  private constructor(parts: WatchParts, name: BatchName, job: Cancellation) {
    this.#parts = parts;
    this.#name = name;
    this.#stopListening = job.onCancel(() => {
      this.#grace.cancel();
      this.#end('left');
    });
  }

  /** Looks at a batch now, and begins to look again. Rejects where the store is unavailable at first. */
  static async open(parts: WatchParts, name: BatchName, job: Cancellation): Promise<BatchWatch> {
    const watch = new BatchWatch(parts, name, job);
    await watch.#look();
    watch.#again();
    return watch;
  }

  /** The caller that made it, as it is now. */
  get principal(): Principal | undefined {
    return this.#principal;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Cancelled when requests that are under way have been waited for long enough. */
  get cancellation(): Cancellation {
    return this.#grace.cancellation;
  }

  isStopped(): boolean {
    return this.#stop !== undefined;
  }

  /** Calls back when there is a reason to stop, and at once if there is. Returns a function that ends this. */
  onStop(run: () => void): () => void {
    if (this.isStopped()) run();
    else this.#listeners.add(run);
    return () => void this.#listeners.delete(run);
  }

  close(): void {
    this.#isClosed = true;
    for (const each of [this.#stopTimer, this.#stopGrace, this.#stopListening]) each();
  }

  #end(why: Stop): void {
    if (this.#stop !== undefined) return;
    this.#stop = why;
    if (!this.#isClosed) this.#stopGrace = this.#parts.clock.after(graceMs, this.#grace.cancel);
    for (const run of this.#listeners) run();
  }

  async #look(): Promise<void> {
    const { store, principalNow, clock } = this.#parts;
    const row = await findBatch(store.db, this.#name);
    if (row === undefined) return this.#end('left');
    if (row.status !== 'in_progress') return this.#end(row.ending ?? 'cancelled');
    if (clock.wall() >= row.expires_at) return this.#end('expired');
    this.#principal = await principalNow(this.#name.tenant, fromJson(row.creator) as StoredCaller);
    if (this.#principal === undefined) this.#end('revoked');
  }

  #again(): void {
    this.#stopTimer = this.#parts.clock.after(everyMs, async () => {
      // While the store is unavailable, what was known goes on.
      await this.#look().catch(() => {});
      if (!this.#isClosed) this.#again();
    });
  }
}
