import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { Principal } from '../../../../sdk/exchange/exchange.ts';
import type { Cancellation } from '../../../../sdk/http/http.ts';
import { createCancellation } from '../../../../sdk/time/cancellation.ts';
import type { StoredCaller } from '../../../access/identity/principal-now.ts';
import type { BatchRow } from '../../../kernel/store/tables.ts';
import { type BatchJobParts, type BatchName, findBatch } from './batch-store.ts';

/**
 * The reason why no more lines of a batch are started: its ending; its creator may no longer send requests; or this process no
 * longer runs its lines, while others may.
 */
export type Stop = NonNullable<BatchRow['ending']> | 'revoked' | 'left';

/** The polling interval, in milliseconds. */
const everyMs = 500;
/** How long requests under way may take to end, in milliseconds. */
const graceMs = 30_000;

type WatchParts = Pick<BatchJobParts, 'store' | 'principalNow' | 'clock'>;

/** Polls a batch while some of its lines run, until it is closed. */
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

  /** Reads a batch now, and starts polling. Rejects if the store is unavailable at first. */
  static async open(parts: WatchParts, name: BatchName, job: Cancellation): Promise<BatchWatch> {
    const watch = new BatchWatch(parts, name, job);
    await watch.#look();
    watch.#again();
    return watch;
  }

  /** The creator of the batch, as it is now. */
  get principal(): Principal | undefined {
    return this.#principal;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Cancelled when requests under way have had enough time to end. */
  get cancellation(): Cancellation {
    return this.#grace.cancellation;
  }

  isStopped(): boolean {
    return this.#stop !== undefined;
  }

  /** Calls `run` when there is a reason to stop, or immediately if there already is one. Returns a function that unsubscribes. */
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
      // While the store is unavailable, the last known state applies.
      await this.#look().catch(() => {});
      if (!this.#isClosed) this.#again();
    });
  }
}
