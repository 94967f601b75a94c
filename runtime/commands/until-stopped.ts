import type { Clock } from '../ports/clock.ts';
import type { Listening } from '../server/listen.ts';
import type { ServeIo } from './serve-services.ts';

export interface UntilStoppedOptions {
  readonly listening: Listening;
  readonly io: ServeIo;
  /** Milliseconds that running requests get. */
  readonly drainMs: number;
  /** SIGHUP reloads the plans; else it is what a closing terminal sends, and stops the gateway too. */
  readonly reloads: boolean;
  readonly clock: Clock;
}

/** Waits for SIGTERM or SIGINT, then drains; gives the milliseconds that are left of that. A second signal ends the process at once. */
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
        if (!whole) io.stderr(`Requests that ran longer than ${drainMs} ms were cut off.\n`);
        resolve(Math.max(0, drainMs - (clock.monotonic() - began)));
      });
    });
  });
