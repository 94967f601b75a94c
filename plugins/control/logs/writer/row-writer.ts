import type { Clock } from '../../../sdk/clock.ts';
import type { LogStore } from './log-store.ts';

/** How long a row waits for others, and after a failure, in milliseconds. */
const gatherMs = 250;
const retryMs = 1000;
const rowsAtOnce = 200;

export interface RowWriterOptions<Row> {
  /** Throws where the log is not open. */
  readonly store: () => LogStore;
  readonly clock: Clock;
  readonly insert: (store: LogStore, rows: readonly Row[]) => Promise<unknown>;
  /** The most rows that wait; what is beyond that is not kept. */
  readonly maxWaiting: number;
}

/** Writes rows of one table behind the requests that they are of: nobody waits for it. */
export class RowWriter<Row> {
  readonly #options: RowWriterOptions<Row>;
  #waiting: Row[] = [];
  #isDue = false;
  #writing: Promise<void> | undefined;

  constructor(options: RowWriterOptions<Row>) {
    this.#options = options;
  }

  /** Whether so many more rows may wait. */
  hasRoom(rows: number): boolean {
    return this.#waiting.length + rows <= this.#options.maxWaiting;
  }

  /** Takes rows that there is room for. */
  add(...rows: readonly Row[]): void {
    this.#waiting.push(...rows);
    this.#schedule(gatherMs);
  }

  /** Writes what waits, if that can be written now. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #schedule(ms: number): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#options.clock.after(ms, () => {
      this.#isDue = false;
      this.#writing = this.#write();
    });
  }

  async #write(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      try {
        await this.#options.insert(this.#options.store(), rows.slice(at, at + rowsAtOnce));
      } catch {
        // That the log cannot be written is reported by the writer of records.
        this.#waiting = [...rows.slice(at), ...this.#waiting];
        this.#schedule(retryMs);
        return;
      }
    }
  }
}
