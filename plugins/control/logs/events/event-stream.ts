import { writeFrame } from '../../../sdk/framings/sse.ts';
import type { Cancellation, Sink, StreamBody, StreamEnd } from '../../../sdk/http/http.ts';
import { matchesFilter } from '../records/matches-filter.ts';
import type { RecordFilter } from '../records/record-filters.ts';
import { beginning, type EventPlace, isBehind, toEventId } from './event-place.ts';
import type { WrittenRecord, WrittenRecords } from './read-written.ts';

/** A record as it is sent to all clients of its workspace. */
export interface FramedRecord extends WrittenRecord {
  readonly frame: Buffer;
}

/** Some records, and the place that they reach to. */
export interface FramedRecords extends Omit<WrittenRecords, 'records'> {
  readonly records: readonly FramedRecord[];
}

/** Writes an event of the log. Its id is the place after it. */
export const writeEvent = (place: EventPlace, event: string, data: object): Buffer =>
  Buffer.from(`id: ${toEventId(place)}\n${writeFrame({ event, data: JSON.stringify(data) })}`);

/**
 * The interval at which the stream checks whether it may continue, in milliseconds, and the number of checks between two
 * heartbeats.
 */
const checkMs = 1000;
const checksPerHeartbeat = 10;
/** The maximum number of events that wait for a client, and of their bytes. Further events are omitted and counted. */
const maxWaiting = 256;
const maxWaitingBytes = 256 * 1024;

export interface EventStreamOptions {
  readonly tenant: string;
  readonly filter: RecordFilter;
  /** The place after which it begins. */
  readonly place: EventPlace;
  /** Cancelled when the client disconnects. */
  readonly cancellation: Cancellation;
  readonly mayGoOn: () => Promise<boolean>;
  /** Sends it the records written since its place, and then new ones. Handles its own failures. */
  readonly follow: (stream: EventStream) => Promise<void>;
}

/**
 * The events of one client, sent as fast as it reads them. If the client reads too slowly, a limited number waits. Events beyond
 * the limit are counted, and the event `left_out` reports the count.
 */
export class EventStream implements StreamBody {
  readonly kind = 'stream';
  readonly tenant: string;
  readonly cancellation: Cancellation;
  readonly #options: EventStreamOptions;
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #leftOut = 0;
  #place: EventPlace;
  #sink: Sink | undefined;
  #isFull = false;
  #ended: StreamEnd | undefined;
  #onFlushed: (() => void) | undefined;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.tenant = options.tenant;
    this.cancellation = options.cancellation;
    this.#place = options.place;
  }

  /** The place up to which it has received or counted all events. */
  get place(): EventPlace {
    return this.#place;
  }

  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  start(sink: Sink): void {
    const { follow } = this.#options;
    this.#sink = sink;
    this.cancellation.onCancel(() => this.#end('left'));
    if (this.isOver) return;
    this.#heartbeat();
    void this.#check();
    void follow(this);
  }

  discard(): void {
    this.#end('left');
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    if (this.#ended === undefined) this.#listeners.push(listener);
    else listener(this.#ended);
  }

  /**
   * Takes the records of its workspace up to a place.
   *
   * @param isOwn whether they were read for this stream only, when it had room, so that none of them is omitted
   */
  take({ records, end, isAnew }: FramedRecords, isOwn = false): void {
    if (isAnew) this.#place = beginning;
    for (const { place, record, frame } of records) {
      if (record.workspace_id !== this.tenant || !isBehind(place, this.#place)) continue;
      this.#place = place;
      if (matchesFilter(this.#options.filter, record)) this.#send(frame, isOwn);
    }
    if (isBehind(end, this.#place)) this.#place = end;
  }

  /** Resolves when nothing waits for the client, or the stream has ended. */
  async flushed(): Promise<void> {
    if (this.isOver || !this.#isFull) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onFlushed = resolve;
    await promise;
  }

  #send(frame: Buffer, isOwn: boolean): void {
    if (this.isOver) return;
    if (!this.#isFull) this.#write(frame);
    else if (isOwn || this.#hasRoom()) {
      this.#waiting.push(frame);
      this.#waitingBytes += frame.length;
    } else this.#leftOut += 1;
  }

  #hasRoom(): boolean {
    return this.#leftOut === 0 && this.#waiting.length < maxWaiting && this.#waitingBytes < maxWaitingBytes;
  }

  #write(bytes: Buffer): void {
    const sink = this.#sink;
    if (sink === undefined || sink.write(bytes)) return;
    this.#isFull = true;
    sink.onDrain(() => this.#drained());
  }

  #drained(): void {
    this.#isFull = false;
    while (!this.#isFull && !this.isOver) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#waitingBytes -= next.length;
      this.#write(next);
    }
    if (this.#isFull || this.isOver) return;
    if (this.#leftOut > 0) {
      const count = this.#leftOut;
      this.#leftOut = 0;
      this.#write(writeEvent(this.#place, 'left_out', { object: 'log.left_out', count }));
    }
    if (!this.#isFull) this.#wake();
  }

  #wake(): void {
    this.#onFlushed?.();
    this.#onFlushed = undefined;
  }

  /** Reports the current place, even if the filter has matched nothing for a long time. */
  #heartbeat(): void {
    if (!this.#isFull) this.#write(writeEvent(this.#place, 'place', { object: 'log.place' }));
  }

  async #check(): Promise<void> {
    for (let count = 1; !this.isOver; count += 1) {
      await new Promise<void>((resolve) => void setTimeout(resolve, checkMs).unref());
      if (this.isOver) return;
      if (!(await this.#options.mayGoOn())) return this.#complete();
      if (count % checksPerHeartbeat === 0 && !this.isOver) this.#heartbeat();
    }
  }

  #complete(): void {
    if (this.isOver) return;
    this.#end('complete');
    this.#sink?.end();
  }

  #end(end: StreamEnd): void {
    if (this.#ended !== undefined) return;
    this.#ended = end;
    this.#waiting.length = 0;
    this.#wake();
    for (const listener of this.#listeners) listener(end);
  }
}
