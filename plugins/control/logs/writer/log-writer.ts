import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { LogStatus } from '../../../sdk/control-plane/store-status.ts';
import { ownModule } from '../../../sdk/loading/own-module.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { wait } from '../../../sdk/time/wait.ts';
import { LogError, type Store, StoreError } from '../../kernel/store/store.ts';
import { waitAtMost } from '../../kernel/store/wait-at-most.ts';
import type { SealedBodies } from '../encoding/note-codec.ts';
import type { FinishedRequest } from '../encoding/noted-request.ts';
import { convertEarlier } from './convert-earlier.ts';
import { BatchMemory, notesAlone, type WaitingBatch, type WithBodies, workBytes } from './log-job.ts';
import type { LogStore } from './log-store.ts';
import { enforceRetention, type RetentionLimits } from './retention.ts';

export interface LogWriterOptions {
  readonly open: () => Promise<LogStore>;
  /** Seals bodies as JSON; null if they cannot be sealed now. */
  readonly seal: (of: WithBodies) => Promise<string | null>;
  readonly kept: RetentionLimits;
  /** The names of the labels that have hourly sums. */
  readonly labels?: readonly string[];
  /** Whether this process is the one that converts earlier records, and enforces the limits from time to time. */
  readonly leads?: Store['leads'];
  readonly clock: Clock;
  /** Reports to the operator, one line at a time. */
  readonly say: (text: string) => void;
  /** The maximum number of waiting records. */
  readonly maxWaiting?: number;
  /** The maximum number of bytes of waiting records. */
  readonly maxBytes?: number;
}

const logJob = ownModule('plugins/control/logs/writer/log-job');

/** How long a record waits for others, in milliseconds. */
const gatherMs = 250;
/** The pause after a failure, in milliseconds. */
const retryMs = 1000;
const reopenMs = 5000;
const logEveryMs = 60_000;
const retainMs = 60_000;
/** Limits are enforced earlier after this many records, or after a share of the stored size. */
const retainAfter = 5000;
const retainShare = 1 / 32;
const betweenSteps = 20;
const longestClose = 3000;

/**
 * Takes requests that have ended, and writes their records in batches. Failures of the log never affect requests. If the log
 * cannot be opened, opening is retried.
 */
export class LogWriter {
  readonly #options: Required<LogWriterOptions>;
  readonly #queue: WaitingBatch[] = [];
  readonly #memory = new BatchMemory();
  readonly #closing = createCancellation();
  #waiting = 0;
  #bytes = 0;
  #dropped = 0;
  #loggedDrops = 0;
  #sinceRetained = 0;
  #bytesSinceRetained = 0;
  #store: LogStore | undefined;
  #failure: string | undefined;
  /** Why the log has refused the content of a record, since drops were last reported. */
  #refusal: string | undefined;
  #running: Promise<void> | undefined;
  /** The last attempt to open the log again. */
  #opening: Promise<void> | undefined;
  #isGathering = false;
  #isLogging = false;

  constructor(options: LogWriterOptions) {
    this.#options = { maxWaiting: 10_000, maxBytes: 32 * 1024 * 1024, leads: undefined, labels: [], ...options };
  }

  /** Opens the log and starts to write. Resolves even if the log cannot be opened, and retries in that case. */
  async start(): Promise<this> {
    await this.#open();
    void this.#openLater();
    void this.#retainAtTimes();
    return this;
  }

  /**
   * Takes a request. Never throws and never waits.
   *
   * @param id the id of a request that already has one
   */
  add(request: FinishedRequest, id?: Uint8Array): void {
    const { maxWaiting, maxBytes } = this.#options;
    if (this.#closing.cancellation.cancelled || this.#waiting >= maxWaiting) {
      this.#drop(1);
      return;
    }
    const last = this.#queue.at(-1);
    const batch = last === undefined || last.isFull ? this.#memory.batch() : last;
    const before = batch.bytes;
    if (!batch.add(request, maxBytes - this.#bytes, id)) {
      if (batch !== last) this.#memory.release(batch);
      this.#drop(1);
      return;
    }
    this.#waiting += 1;
    this.#bytes += batch.bytes - before;
    if (batch === last) return;
    this.#queue.push(batch);
    if (this.#queue.length === 1) void this.#gather();
  }

  /** Returns the log, once it is open. Throws a `LogError` if it could not be opened. */
  store(): LogStore {
    if (this.#store !== undefined) return this.#store;
    throw new LogError(this.#failure ?? 'The log is not open.');
  }

  status(): LogStatus {
    return { isUnavailable: this.#failure !== undefined, waiting: this.#waiting, dropped: this.#dropped };
  }

  /** Writes waiting records for a short time, and closes the log. Then reports how many records are lost. */
  async close(): Promise<void> {
    this.#closing.cancel();
    await waitAtMost([this.#flush()], longestClose);
    if (this.#store !== undefined) await waitAtMost([this.#store.close()], longestClose);
    this.#dropped += this.#waiting;
    this.#logDrops();
  }

  /** Waits, and resolves to whether the log is still open. Resolves immediately when the log is closed. */
  readonly #pause = (ms: number): Promise<boolean> => wait(ms, this.#options.clock, this.#closing.cancellation);
  readonly #pauseBetweenSteps = (): Promise<boolean> => this.#pause(betweenSteps);

  #logDrops(): void {
    const news = this.#dropped - this.#loggedDrops;
    const refused = this.#refusal === undefined ? undefined : `it does not accept them: ${this.#refusal}`;
    const reason =
      this.#failure === undefined ? (refused ?? 'it is written too slowly') : `it cannot be written: ${this.#failure}`;
    if (news > 0)
      this.#options.say(`gw: The log has dropped ${news} records (${this.#dropped} in total), because ${reason}\n`);
    this.#loggedDrops = this.#dropped;
    this.#refusal = undefined;
    this.#isLogging = false;
  }

  #drop(count: number): void {
    this.#dropped += count;
    if (this.#isLogging) return;
    this.#isLogging = true;
    void this.#pause(this.#loggedDrops === 0 ? retryMs : logEveryMs).then((isOpen) => {
      if (isOpen) this.#logDrops();
    });
  }

  readonly #failed = (error: unknown): void => {
    if (this.#failure === undefined)
      this.#options.say(
        `gw: The log cannot be written: ${errorText(error)} Requests are served without it; the newest records wait, and others are dropped.\n`,
      );
    this.#failure = errorText(error);
  };

  #succeeded(): void {
    if (this.#failure !== undefined) this.#options.say('gw: The log is written again.\n');
    this.#failure = undefined;
  }

  /** Converts the records of an earlier version. If the log becomes unavailable, the rest is converted later. */
  async #convertAll(store: LogStore): Promise<void> {
    do {
      try {
        if (await this.#isLeading())
          return await convertEarlier({ store, say: this.#options.say, pause: this.#pauseBetweenSteps });
      } catch (error) {
        if (!this.#closing.cancellation.cancelled && error instanceof StoreError) this.#failed(error);
      }
    } while (await this.#pause(reopenMs));
  }

  async #isLeading(): Promise<boolean> {
    return (await this.#options.leads?.()) !== false;
  }

  async #open(): Promise<void> {
    try {
      this.#store = await this.#options.open();
      this.#succeeded();
      void this.#convertAll(this.#store);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Retries until the log is open, also if no record is waiting, because it is read as well. */
  async #openLater(): Promise<void> {
    while (this.#store === undefined && (await this.#pause(reopenMs))) {
      this.#opening = this.#open();
      await this.#opening;
    }
  }

  /** Writes notes, and resolves to the result: they are written, the log is unavailable for now, or it refuses their content. */
  async #perform(log: LogStore, work: Uint8Array): Promise<'written' | 'unavailable' | 'refused'> {
    try {
      await log.perform(logJob, work);
      this.#succeeded();
      return 'written';
    } catch (error) {
      if (!(error instanceof StoreError)) {
        this.#refusal = errorText(error);
        return 'refused';
      }
      this.#failed(error);
      return 'unavailable';
    }
  }

  /** Resolves to whether a batch is written. What the log will never accept is dropped. */
  async #isWritten(log: LogStore, { notes, count }: WaitingBatch, bodies: SealedBodies): Promise<boolean> {
    const outcome = await this.#perform(log, workBytes(notes, bodies, this.#options.labels));
    if (outcome !== 'refused') return outcome === 'written';
    const alone = count === 1 ? [] : notesAlone(notes, bodies, this.#options.labels);
    if (alone.length === 0) this.#drop(count);
    // In reverse order: if the first record is there, all are.
    for (const work of alone.toReversed()) {
      const single = await this.#perform(log, work);
      if (single === 'unavailable') return false;
      if (single === 'refused') this.#drop(1);
    }
    return true;
  }

  async #writeBatch(batch: WaitingBatch): Promise<void> {
    const sealed = await Promise.all(
      batch.withBodies.map(async (request) => [request.id, await this.#options.seal(request)] as const),
    );
    const bodies = new Map(sealed.flatMap(([id, text]) => (text === null ? [] : [[id, text]])));
    while (this.#store === undefined || !(await this.#isWritten(this.#store, batch, bodies))) {
      if (this.#closing.cancellation.cancelled) {
        this.#drop(batch.count);
        break;
      }
      await this.#pause(retryMs);
      await this.#opening;
    }
    this.#waiting -= batch.count;
    this.#bytes -= batch.bytes;
    this.#sinceRetained += batch.count;
    this.#bytesSinceRetained += batch.bytes;
    this.#memory.release(batch);
  }

  /** Writes the first batch, and those after it that are full. Others wait for more records. */
  async #writeAll(): Promise<void> {
    const keptBytes = this.#options.kept.bytes;
    for (let batch = this.#queue.shift(); batch !== undefined; batch = this.#queue.shift()) {
      await this.#writeBatch(batch);
      if (this.#sinceRetained >= retainAfter || this.#bytesSinceRetained >= keptBytes * retainShare)
        await this.#retain();
      if (!this.#closing.cancellation.cancelled && this.#queue[0]?.isFull !== true) return;
    }
  }

  #write(): void {
    if (this.#running !== undefined || this.#queue.length === 0) return;
    this.#running = this.#writeAll().finally(() => {
      this.#running = undefined;
      if (this.#queue.length > 0) void this.#gather();
    });
  }

  async #gather(): Promise<void> {
    if (this.#isGathering) return;
    this.#isGathering = true;
    await this.#pause(gatherMs);
    this.#isGathering = false;
    this.#write();
  }

  async #retain(): Promise<void> {
    const { kept, clock } = this.#options;
    this.#sinceRetained = 0;
    this.#bytesSinceRetained = 0;
    if (this.#store === undefined || this.#closing.cancellation.cancelled) return;
    await enforceRetention({ store: this.#store, kept, now: clock.wall(), pause: this.#pauseBetweenSteps }).catch(
      this.#failed,
    );
  }

  async #retainAtTimes(): Promise<void> {
    do {
      await this.#running;
      if (await this.#isLeading()) await this.#retain();
    } while (await this.#pause(retainMs));
  }

  async #flush(): Promise<void> {
    await this.#running;
    this.#write();
    await this.#running;
  }
}
