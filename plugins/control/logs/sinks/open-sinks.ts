import type { Clock } from '../../../sdk/clock.ts';
import { SinkThread, type SinkThreadOptions } from './sink-thread.ts';
import { SinkWriter, type SinkWriterOptions } from './sink-writer.ts';
import { ThreadSinks } from './thread-sinks.ts';

export interface OpenSinksOptions extends SinkWriterOptions {
  /** For how many milliseconds what waits may be sent when they are closed. */
  readonly closeMs: () => number;
}

/** The sinks of the log, as a process that serves requests uses them. */
export interface OpenedSinks {
  readonly writer: SinkWriter;
  close(): Promise<void>;
}

export const openSinks = ({ closeMs, ...options }: OpenSinksOptions): OpenedSinks => {
  const writer = new SinkWriter(options);
  return { writer, close: () => writer.close(closeMs()) };
};

export interface OpenThreadSinksOptions extends Omit<SinkThreadOptions, 'clock'> {
  readonly clock: Clock;
}

/** Starts the thread of the sinks. Rejects with a `StoreError` for sinks that cannot be used. */
export const openThreadSinks = async (options: OpenThreadSinksOptions): Promise<ThreadSinks> =>
  new ThreadSinks({ ...options, thread: await new SinkThread(options).start() });
