import { errorText } from '../../../../schema/text/error-text.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { LogStatus } from '../../../sdk/control-plane/store-status.ts';
import { ownModule } from '../../../sdk/modules/own-module.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import { wait } from '../../../sdk/time/wait.ts';
import { settledWithin } from '../../kernel/store/settled-within.ts';
import { StoreError } from '../../kernel/store/store.ts';
import type { SealedBodies } from '../recording/note-codec.ts';
import type { FinishedRequest } from '../recording/noted-request.ts';
import type { LogStore } from '../store/log-store.ts';
import { convertEarlier } from './convert-earlier.ts';
import { type NoteAlone, notesAlone, workBytes } from './log-job.ts';
import { type Kept, retain } from './retention.ts';
import { BatchMemory, type WaitingBatch, type WithBodies } from './waiting-batch.ts';

/** Takes requests that have ended, and writes their records in batches. Whatever happens to the log, requests do not notice. */
export interface LogWriter {
  /** Never throws, and never waits. */
  add(request: FinishedRequest): void;
  /** The log, once it is open. Throws a `StoreError` where it could not be opened. */
  store(): LogStore;
  status(): LogStatus;
  /** Writes what waits, for a short time, and closes the log. */
  close(): Promise<void>;
}

export interface LogWriterOptions {
  readonly open: () => Promise<LogStore>;
  /** Seals bodies as JSON; null where they cannot be sealed now. */
  readonly seal: (of: WithBodies) => Promise<string | null>;
  readonly kept: Kept;
  readonly clock: Clock;
  /** Reports to the operator, one line each. */
  readonly say: (text: string) => void;
  /** The most records that wait. */
  readonly maxWaiting?: number;
  /** The most bytes that they take. */
  readonly maxBytes?: number;
}

const logJob = ownModule('plugins/control/logs/writer/log-job');

/** The time that a record waits for others, in milliseconds. */
const gatherMs = 250;
/** After a failure, in milliseconds. */
const retryMs = 1000;
const reopenMs = 5000;
const logEveryMs = 60_000;
const retainMs = 60_000;
/** After so many records, or such a part of what is kept, that is looked at earlier. */
const retainAfter = 5000;
const retainShare = 1 / 32;
const betweenSteps = 20;
const longestClose = 3000;

/** Opens the log and starts to write. It resolves also where the log cannot be opened, and tries again then. */
export const startLogWriter = async (options: LogWriterOptions): Promise<LogWriter> => {
  const { open, seal, kept, clock, say, maxWaiting = 10_000, maxBytes = 32 * 1024 * 1024 } = options;
  const queue: WaitingBatch[] = [];
  const memory = new BatchMemory();
  let [waiting, bytes, dropped, loggedDrops, sinceRetained, bytesSinceRetained] = [0, 0, 0, 0, 0, 0];
  let store: LogStore | undefined;
  let failure: string | undefined;
  let running: Promise<void> | undefined;
  let gathering = false;
  let logging = false;
  const { cancellation: closing, cancel } = createCancellation();

  /** Waits; resolves at once when the log is closed, and with whether it is not. */
  const pause = (ms: number): Promise<boolean> => wait(ms, clock, closing);
  const pauseBetweenSteps = (): Promise<boolean> => pause(betweenSteps);

  const logDrops = (): void => {
    if (dropped > loggedDrops) {
      const reason = failure === undefined ? 'it is written too slowly' : `it cannot be written: ${failure}`;
      say(`gw: The log has dropped ${dropped - loggedDrops} records (${dropped} in all), because ${reason}\n`);
    }
    loggedDrops = dropped;
    logging = false;
  };

  const logDropsAfter = async (ms: number): Promise<void> => {
    if (await pause(ms)) logDrops();
  };

  const drop = (count: number): void => {
    dropped += count;
    if (logging) return;
    logging = true;
    void logDropsAfter(loggedDrops === 0 ? retryMs : logEveryMs);
  };

  const failed = (error: unknown): void => {
    if (failure === undefined)
      say(
        `gw: The log cannot be written: ${errorText(error)} Requests are served without it; the newest records wait, and others are dropped.\n`,
      );
    failure = errorText(error);
  };

  const succeeded = (): void => {
    if (failure !== undefined) say('gw: The log is written again.\n');
    failure = undefined;
  };

  /** Converts what an earlier version has written. What is not converted when the log goes away is converted later. */
  const convertAll = async (log: LogStore): Promise<void> => {
    do {
      try {
        return await convertEarlier({ store: log, say, pause: pauseBetweenSteps });
      } catch (error) {
        if (!closing.cancelled && error instanceof StoreError) failed(error);
      }
    } while (await pause(reopenMs));
  };

  const tryOpen = async (): Promise<void> => {
    try {
      store = await open();
      succeeded();
      void convertAll(store);
    } catch (error) {
      failed(error);
    }
  };

  /** Writes notes, and resolves with what became of them: they are written, or not for now, or the log refuses what they are. */
  const written = async (log: LogStore, work: Uint8Array): Promise<'written' | 'unavailable' | 'refused'> => {
    try {
      await log.perform(logJob, work);
      succeeded();
      return 'written';
    } catch (error) {
      if (!(error instanceof StoreError)) return 'refused';
      failed(error);
      return 'unavailable';
    }
  };

  /** Resolves with whether a note is written, or dropped since the log will never take it. */
  const isWrittenAlone = async (log: LogStore, { id, note }: NoteAlone, bodies: SealedBodies): Promise<boolean> => {
    const own = bodies.get(id);
    const outcome = await written(log, workBytes(note, new Map(own === undefined ? [] : [[id, own]])));
    if (outcome === 'refused') drop(1);
    return outcome !== 'unavailable';
  };

  /** Takes notes apart; none where the notes themselves cannot be read. */
  const toNotes = (batch: WaitingBatch): readonly NoteAlone[] => {
    try {
      return notesAlone(batch.notes);
    } catch {
      return [];
    }
  };

  /** Resolves with whether they are written; what the log will never take is dropped. */
  const isWritten = async (log: LogStore, batch: WaitingBatch, bodies: SealedBodies): Promise<boolean> => {
    const outcome = await written(log, workBytes(batch.notes, bodies));
    if (outcome !== 'refused') return outcome === 'written';
    const notes = batch.count === 1 ? [] : toNotes(batch);
    if (notes.length === 0) drop(batch.count);
    // The first one last: where it is there, all are.
    for (const alone of notes.toReversed()) if (!(await isWrittenAlone(log, alone, bodies))) return false;
    return true;
  };

  const sealBodies = async ({ withBodies }: WaitingBatch): Promise<SealedBodies> => {
    const sealed = await Promise.all(withBodies.map(async (request) => [request.id, await seal(request)] as const));
    return new Map(sealed.flatMap(([id, text]) => (text === null ? [] : [[id, text]])));
  };

  const writeBatch = async (batch: WaitingBatch): Promise<void> => {
    const bodies = await sealBodies(batch);
    while (store === undefined || !(await isWritten(store, batch, bodies))) {
      if (closing.cancelled) {
        drop(batch.count);
        break;
      }
      await pause(store === undefined ? reopenMs : retryMs);
      if (store === undefined) await tryOpen();
    }
    waiting -= batch.count;
    bytes -= batch.bytes;
    sinceRetained += batch.count;
    bytesSinceRetained += batch.bytes;
    memory.release(batch);
  };

  /** Writes the first batch, and those behind it that are full: the others wait for more records. */
  const writeAll = async (): Promise<void> => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      await writeBatch(batch);
      if (sinceRetained >= retainAfter || bytesSinceRetained >= kept.bytes * retainShare) await retainNow();
      if (!closing.cancelled && queue[0]?.isFull !== true) return;
    }
  };

  const start = (): void => {
    if (running !== undefined || queue.length === 0) return;
    running = writeAll().finally(() => {
      running = undefined;
      if (queue.length > 0) void gather();
    });
  };

  const gather = async (): Promise<void> => {
    if (gathering) return;
    gathering = true;
    await pause(gatherMs);
    gathering = false;
    start();
  };

  const retainNow = async (): Promise<void> => {
    sinceRetained = 0;
    bytesSinceRetained = 0;
    if (store === undefined || closing.cancelled) return;
    await retain({ store, kept, now: clock.wall(), pause: pauseBetweenSteps }).catch(failed);
  };

  const retainAtTimes = async (): Promise<void> => {
    await retainNow();
    while (await pause(retainMs)) {
      await running;
      await retainNow();
    }
  };

  const flush = async (): Promise<void> => {
    await running;
    start();
    await running;
  };

  await tryOpen();
  void retainAtTimes();

  return {
    add(request) {
      if (closing.cancelled || waiting >= maxWaiting) return drop(1);
      const last = queue.at(-1);
      const batch = last === undefined || last.isFull ? memory.batch() : last;
      const before = batch.bytes;
      if (!batch.add(request, maxBytes - bytes)) {
        if (batch !== last) memory.release(batch);
        return drop(1);
      }
      waiting += 1;
      bytes += batch.bytes - before;
      if (batch === last) return;
      queue.push(batch);
      if (queue.length === 1) void gather();
    },
    store() {
      if (store !== undefined) return store;
      throw new StoreError(failure ?? 'The log is not open.');
    },
    status: () => ({ isUnavailable: failure !== undefined, waiting, dropped }),
    async close() {
      cancel();
      await settledWithin([flush()], longestClose);
      logDrops();
      if (store !== undefined) await settledWithin([store.close()], longestClose);
    },
  };
};
