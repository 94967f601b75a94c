import type { Clock } from '../ports/clock.ts';
import type { Listening } from '../server/listen.ts';
import type { ServeIo } from './serve-services.ts';

export interface UntilStoppedOptions {
  readonly listening: Listening;
  readonly io: ServeIo;
  /** Milliseconds that running requests get. */
  readonly drainMs: number;
  /** SIGHUP reloads the plans. If false, it stops the gateway too, as when a terminal closes. */
  readonly reloads: boolean;
  readonly clock: Clock;
}

/** Waits for SIGTERM or SIGINT, then drains; resolves to the milliseconds left. A second signal ends the process at once. */
export const untilStopped = ({ listening, io, drainMs, reloads, clock }: UntilStoppedOptions): Promise<number> =>
  new Promise((resolve) => {
    let stopping = false;
    const stopListening = io.onSignal((signal) => {
      if (signal === 'SIGHUP' && reloads) return;
      if (stopping) {
        listening.close();
        io.exit(1);
        return;
      }
      stopping = true;
      const began = clock.monotonic();
      listening.drain(drainMs).then((whole) => {
        stopListening();
        if (!whole) io.stderr(`Requests that were still running after ${drainMs} ms were ended.\n`);
        resolve(Math.max(0, drainMs - (clock.monotonic() - began)));
      });
    });
  });
