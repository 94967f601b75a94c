import type { Clock } from '../../../sdk/clock.ts';
import type { SinkStatus } from '../../../sdk/control-plane/store-status.ts';
import type { SinkEntry } from '../../../sdk/sink/sink-entry.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { wait } from '../../../sdk/time/wait.ts';
import type { RecordsMessage } from './messages.ts';
import { addBits } from './sink-batch.ts';
import { endMs, type SinkOutlet } from './sink-outlet.ts';
import { SinkReports } from './sink-reports.ts';
import type { SinkThread } from './sink-thread.ts';

export interface ThreadSinksOptions {
  readonly entries: readonly SinkEntry[];
  readonly thread: SinkThread;
  readonly clock: Clock;
  /** Reports to the operator, one line at a time. */
  readonly say: (text: string) => void;
}

const reportMs = 1000;

/** Adds counts of each sink to others. */
const addTo = (sums: number[], counts: readonly number[], factor: 1 | -1 = 1): void => {
  for (const [sink, count] of counts.entries()) sums[sink] = (sums[sink] ?? 0) + factor * count;
};

/** The sinks in a thread of this process. Counts what is handed over to it, and reports to the operator. */
export class ThreadSinks implements SinkOutlet {
  readonly #options: ThreadSinksOptions;
  readonly #closing = createCancellation();
  readonly #reports: SinkReports;
  /** How many records of each sink were handed over to the thread and are not queued yet. */
  readonly #handed: number[];
  readonly #dropped: number[];

  constructor(options: ThreadSinksOptions) {
    this.#options = options;
    const { entries, clock, say } = options;
    this.#handed = entries.map(() => 0);
    this.#dropped = entries.map(() => 0);
    this.#reports = new SinkReports({ clock, say, status: () => this.status() });
    void this.#reportAtTimes();
  }

  async take(message: RecordsMessage, counts: readonly number[]): Promise<void> {
    addTo(this.#handed, counts);
    const isQueued = await this.#options.thread.post(message);
    addTo(this.#handed, counts, -1);
    if (!isQueued) this.addDropped(counts);
  }

  drop(wanted: number): void {
    addBits(this.#dropped, wanted);
  }

  /** Adds counts of records that were dropped for lack of room, by sink. */
  addDropped(counts: readonly number[]): void {
    addTo(this.#dropped, counts);
  }

  status(): readonly SinkStatus[] {
    return this.#options.entries.map(({ name, sink }, at) => {
      const { failing, ...counts } = this.#options.thread.status(at);
      return {
        ...{ name, sink, ...counts },
        waiting: counts.waiting + (this.#handed[at] ?? 0),
        dropped: counts.dropped + (this.#dropped[at] ?? 0),
        ...(failing === undefined ? {} : { failing }),
      };
    });
  }

  async close(graceMs: number): Promise<void> {
    this.#closing.cancel();
    await this.#options.thread.close(graceMs, endMs);
    this.#reports.end();
  }

  async #reportAtTimes(): Promise<void> {
    while (await wait(reportMs, this.#options.clock, this.#closing.cancellation)) this.#reports.look();
  }
}
