import type { Clock } from '../../../sdk/clock.ts';
import { Delivery, type DeliveryBounds } from '../../../sdk/delivery/delivery.ts';
import type { OpenSink, SinkRecord } from '../../../sdk/sink/sink.ts';
import { countNames } from './messages.ts';
import { readSinkRecords } from './record-text.ts';

/** The default limits of a sink's queue. */
export const defaultBounds: DeliveryBounds = {
  items: 20_000,
  bytes: 64 * 1024 * 1024,
  batchItems: 500,
  batchBytes: 1024 * 1024,
  gatherMs: 1000,
  sendMs: 30_000,
  maxAgeMs: 3_600_000,
};

export interface RunningSink {
  readonly sink: OpenSink;
  readonly bounds: DeliveryBounds;
}

export interface RunSinksOptions {
  readonly sinks: readonly RunningSink[];
  readonly clock: Clock;
  readonly random: () => number;
  /** Where the counts are written, as described at `SinkThreadStart`. */
  readonly counts: Float64Array;
  readonly say: (sink: number, state: { readonly failing?: string }) => void;
}

/** The bytes that a record takes in addition to its text. */
const recordBytes = 200;
const countMs = 100;

/** The queues of all sinks, none of which waits for another. */
export class RunningSinks {
  readonly #options: RunSinksOptions;
  readonly #deliveries: readonly Delivery<SinkRecord>[];
  #isCounting = false;

  constructor(options: RunSinksOptions) {
    this.#options = options;
    const { sinks, clock, random, say } = options;
    this.#deliveries = sinks.map(
      ({ sink, bounds }, number) =>
        new Delivery<SinkRecord>({
          ...{ bounds, clock, random },
          say: (state) => say(number, state),
          // A record is in one batch only, and a retry sends the same records.
          send: (records, cancellation) => sink.send(records, { id: records[0]?.id ?? '', cancellation }),
        }),
    );
  }

  /** Queues records that were handed over, each for the sinks that get it. */
  take(work: Uint8Array, wanted: Uint32Array): void {
    let at = 0;
    for (const record of readSinkRecords(work)) {
      const bits = wanted[at] ?? 0;
      const bytes = Buffer.byteLength(record.json) + recordBytes;
      for (const [number, delivery] of this.#deliveries.entries())
        if (bits & (1 << number)) delivery.add(record, { tenant: record.workspace, bytes });
      at += 1;
    }
    this.#count();
  }

  /** Sends waiting records for at most `graceMs`, and closes the sinks. */
  async close(graceMs: number): Promise<void> {
    await Promise.all(this.#deliveries.map((delivery) => delivery.close(graceMs)));
    this.#writeCounts();
    await Promise.allSettled(this.#options.sinks.map(async ({ sink }) => sink.close?.()));
  }

  /** Writes the counts now, and repeatedly while something waits. */
  #count(): void {
    this.#writeCounts();
    if (this.#isCounting || this.#deliveries.every((delivery) => delivery.counts().waiting === 0)) return;
    this.#isCounting = true;
    this.#options.clock.after(countMs, () => {
      this.#isCounting = false;
      this.#count();
    });
  }

  #writeCounts(): void {
    const { counts } = this.#options;
    for (const [number, delivery] of this.#deliveries.entries()) {
      const current = delivery.counts();
      for (const [at, name] of countNames.entries()) counts[number * countNames.length + at] = current[name];
    }
  }
}
