import { recordView } from '../records/record-view.ts';
import type { LogStore } from '../writer/log-store.ts';
import { type EventPlace, isBehind } from './event-place.ts';
import { type EventStream, type FramedRecords, writeEvent } from './event-stream.ts';
import { readWritten, type WrittenRecords } from './read-written.ts';

/** The pause before the log is read again, in milliseconds. */
const readEveryMs = 250;
/** The pause if more records follow those that were read, in milliseconds. */
const readOnMs = 20;
/** The pause after a query, as a multiple of the query's duration. */
const restFactor = 4;
/** The pause after a failure, in milliseconds. */
const retryMs = 1000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** How many blocks of the log are read at once: for all streams, and for a single one. */
const sharedBlocks = 8;
const ownBlocks = 1;

const toFramed = ({ records, ...rest }: WrittenRecords): FramedRecords => ({
  ...rest,
  records: records.map((written) => ({
    ...written,
    frame: writeEvent(written.place, 'log', recordView(written.record)),
  })),
});

export interface LogFeedOptions {
  /** Throws a `StoreError` if the log could not be opened. */
  readonly store: () => LogStore;
  /** Runs a read of a workspace when it is its turn. */
  readonly inTurn: <Result>(stream: EventStream, run: () => Promise<Result>) => Promise<Result>;
}

/**
 * Reads new records of the log once for all streams of the process, while there are any. A stream reads the records that it has
 * missed by itself, as fast as its client takes them.
 */
export class LogFeed {
  readonly #options: LogFeedOptions;
  readonly #streams = new Set<EventStream>();
  /** How far the log has been read for all streams; undefined while there are none. */
  #end: EventPlace | undefined;

  constructor(options: LogFeedOptions) {
    this.#options = options;
  }

  /** Sends a stream the records written since its place, and then new ones. */
  readonly follow = async (stream: EventStream): Promise<void> => {
    while (!stream.isOver) {
      await stream.flushed();
      if (stream.isOver) return;
      try {
        const written = await this.#readFor(stream);
        stream.take(toFramed(written), true);
        if (!written.hasMore && this.#join(stream)) return;
      } catch {
        // /readyz already reports that the log cannot be read.
        await pause(retryMs);
      }
    }
  };

  #readFor(stream: EventStream): Promise<WrittenRecords> {
    const { store, inTurn } = this.#options;
    return inTurn(stream, () =>
      readWritten(store(), { after: stream.place, tenants: [stream.tenant], maxBlocks: ownBlocks }),
    );
  }

  /** Adds a stream to those that share reads, unless it is behind them. */
  #join(stream: EventStream): boolean {
    if (stream.isOver) return true;
    if (this.#end !== undefined && isBehind(this.#end, stream.place)) return false;
    this.#streams.add(stream);
    stream.onEnd(() => void this.#streams.delete(stream));
    if (this.#end === undefined) {
      this.#end = stream.place;
      void this.#readOn();
    }
    return true;
  }

  async #readOn(): Promise<void> {
    for (let restMs = readEveryMs; ; ) {
      await pause(restMs);
      if (this.#end === undefined || this.#streams.size === 0) break;
      const from = performance.now();
      try {
        const hasMore = await this.#read(this.#end);
        restMs = Math.max(hasMore ? readOnMs : readEveryMs, restFactor * (performance.now() - from));
      } catch {
        restMs = retryMs;
      }
    }
    this.#end = undefined;
  }

  async #read(after: EventPlace): Promise<boolean> {
    const tenants = [...new Set([...this.#streams].map(({ tenant }) => tenant))];
    const written = await readWritten(this.#options.store(), { after, tenants, maxBlocks: sharedBlocks });
    const framed = toFramed(written);
    const byTenant = Map.groupBy(framed.records, ({ record }) => record.workspace_id);
    this.#end = written.end;
    for (const stream of this.#streams) stream.take({ ...framed, records: byTenant.get(stream.tenant) ?? [] });
    return written.hasMore;
  }
}
