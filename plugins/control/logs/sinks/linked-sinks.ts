import { toSharedBytes } from '../../../sdk/binary/shared-bytes.ts';
import type { Clock } from '../../../sdk/clock.ts';
import { waitAtMost } from '../../kernel/store/wait-at-most.ts';
import type { RecordsMessage } from './messages.ts';
import { addBits } from './sink-batch.ts';
import { endMs, type SinkOutlet } from './sink-outlet.ts';
import type { ThreadSinks } from './thread-sinks.ts';

/**
 * Records that a worker hands over to the sinks of its owner, and the counts of those that it has dropped since the last time.
 */
export interface HandedRecords {
  readonly batch?: {
    readonly message: RecordsMessage;
    /** How many of its records each sink gets. */
    readonly counts: readonly number[];
  };
  /** The counts of each sink. */
  readonly dropped: readonly number[];
}

/** Hands records over to the owner of a worker. Rejects if the owner does not answer within `ms` milliseconds, or has ended. */
export type HandOver = (handed: HandedRecords, ms: number) => Promise<unknown>;

/** The owner answers when the sinks' thread has the batch. Until then the batch counts as held by the worker. In milliseconds. */
const takenMs = 3_600_000;
/** How soon the owner learns how many records were dropped, in milliseconds. */
const droppedMs = 1000;

/** Creates the outlet to the sinks of the process that owns this worker. */
export const linkedSinks = (
  handOver: HandOver,
  { sinks, clock }: { readonly sinks: number; readonly clock: Pick<Clock, 'after'> },
): SinkOutlet => {
  const none = (): number[] => Array.from({ length: sinks }, () => 0);
  const taking = new Set<Promise<void>>();
  let dropped = none();
  let stopSending: (() => void) | undefined;
  /** Sends a batch and the counts to the owner. If the owner has ended, nobody counts any more. */
  const send = async (batch: HandedRecords['batch'], ms: number): Promise<void> => {
    stopSending?.();
    stopSending = undefined;
    const handed: HandedRecords = { ...(batch === undefined ? {} : { batch }), dropped };
    dropped = none();
    await handOver(handed, ms).catch(() => {});
  };
  return {
    async take(message, counts) {
      // Threads share this memory, but processes do not.
      const sent = send({ message: { ...message, work: new Uint8Array(message.work) }, counts }, takenMs);
      taking.add(sent);
      await sent.finally(() => taking.delete(sent));
    },
    drop(wanted) {
      addBits(dropped, wanted);
      stopSending ??= clock.after(droppedMs, () => void send(undefined, takenMs));
    },
    status: () => undefined,
    // The owner has received the batches even if the thread takes nothing, and continues to send them.
    async close() {
      await waitAtMost([...taking], endMs);
      if (stopSending !== undefined) await send(undefined, endMs);
    },
  };
};

/** The maximum number of bytes that the owner holds for its thread, the same as for one process. */
const maxHeld = 32 * 1024 * 1024;

/**
 * Creates a function that answers workers that hand over records, when the sinks' thread has them. Records beyond the limit are
 * dropped and counted.
 */
export const createBatchReceiver = (
  sinks: Pick<ThreadSinks, 'take' | 'addDropped'>,
): ((handed: HandedRecords) => Promise<void>) => {
  let held = 0;
  return async ({ batch, dropped }) => {
    sinks.addDropped(dropped);
    if (batch === undefined) return;
    const { message, counts } = batch;
    const bytes = message.work.byteLength;
    if (held + bytes > maxHeld) {
      sinks.addDropped(counts);
      return;
    }
    held += bytes;
    await sinks.take({ ...message, work: toSharedBytes(message.work) }, counts);
    held -= bytes;
  };
};
