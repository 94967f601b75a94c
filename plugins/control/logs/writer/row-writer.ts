import type { Clock } from '../../../sdk/clock.ts';
import type { LogStore } from './log-store.ts';

/** How long a row waits for others, and the pause after a failure, in milliseconds. */
const gatherMs = 250;
const retryMs = 1000;
const rowsAtOnce = 200;
/** The maximum number of waiting rows; further ones are dropped. */
const maxWaiting = 5000;

export interface RowWriterOptions<Row> {
  /** Throws if the log is not open. */
  readonly store: () => LogStore;
  readonly clock: Clock;
  readonly insert: (store: LogStore, rows: readonly Row[]) => Promise<unknown>;
}

/** Writes rows of one table in the background, so that no request waits for it. */
export class RowWriter<Row> {
  readonly #options: RowWriterOptions<Row>;
  #waiting: Row[] = [];
  #isDue = false;
  #writing: Promise<void> | undefined;

  constructor(options: RowWriterOptions<Row>) {
    this.#options = options;
  }

  /** Checks whether a number of additional rows may wait. */
  hasRoom(rows: number): boolean {
    return this.#waiting.length + rows <= maxWaiting;
  }

  /** Takes rows, as far as there is room for them. */
  add(...rows: readonly Row[]): void {
    this.#waiting.push(...rows);
    this.#schedule(gatherMs);
  }

  /** Writes the waiting rows, if that is possible now. */
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
        // The writer of records reports that the log cannot be written.
        this.#waiting = [...rows.slice(at), ...this.#waiting];
        this.#schedule(retryMs);
        return;
      }
    }
  }
}
