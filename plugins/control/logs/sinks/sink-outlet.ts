import type { SinkStatus } from '../../../sdk/control-plane/store-status.ts';
import type { RecordsMessage } from './messages.ts';

/** Where batches of records go: to the thread of the sinks, or to the process that has it. */
export interface SinkOutlet {
  /**
   * Takes a batch, of which each sink gets so many records. Resolves when nobody reads its memory any more: it is queued, or
   * lost, which is counted. It never rejects.
   */
  take(message: RecordsMessage, counts: readonly number[]): Promise<void>;
  /** Counts a record that there was no room for, for each sink whose bit is set. */
  drop(wanted: number): void;
  /** How each sink does, in the order of the gateway file; undefined where another process knows. */
  status(): readonly SinkStatus[] | undefined;
  /** Has what was taken be sent, for so many milliseconds at most; the rest is given up. */
  close(graceMs: number): Promise<void>;
}

/** The milliseconds that sinks have beyond the time in which they may send. */
export const endMs = 500;
