import type { SinkStatus } from '../../../sdk/control-plane/store-status.ts';
import type { RecordsMessage } from './messages.ts';

/** The destination of batches of records: the sinks' thread, or the process that has it. */
export interface SinkOutlet {
  /**
   * Takes a batch, of which each sink gets `counts` records. Resolves when its memory is no longer read: the batch is queued, or
   * it is lost and counted. Never rejects.
   */
  take(message: RecordsMessage, counts: readonly number[]): Promise<void>;
  /** Counts a record that was dropped for lack of room, for each sink whose bit is set. */
  drop(wanted: number): void;
  /** Returns the status of each sink, in the order of the gateway file; undefined if another process knows it. */
  status(): readonly SinkStatus[] | undefined;
  /** Sends the batches that were taken, for at most `graceMs` milliseconds, and drops the rest. */
  close(graceMs: number): Promise<void>;
}

/** How long closing may take beyond the time for sending, in milliseconds. */
export const endMs = 500;
