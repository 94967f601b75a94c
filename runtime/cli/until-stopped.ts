import type { Clock } from '../ports/clock.ts';
import type { GatewayServer } from '../server/node-http/gateway-server.ts';
import type { ServeIo } from './services/serve-services.ts';

export interface UntilStoppedOptions {
  readonly listening: GatewayServer;
  readonly io: ServeIo;
  /** How many milliseconds running requests have to finish. */
  readonly drainMs: number;
  /** For how many of these milliseconds new connections are still answered. */
  readonly drainDelayMs: number;
  /**
   * Whether SIGHUP reads files and secrets again. If false there are none, and SIGHUP stops the gateway too, as when a terminal
   * closes.
   */
  readonly reloads: boolean;
  /** Whether a second signal ends the process immediately. If false, later ones are ignored. */
  readonly endsAtSecond: boolean;
  readonly clock: Clock;
}

export interface Stopped {
  /** The milliseconds that are left for closing. */
  readonly leftMs: number;
  /** Stops handling signals, when everything is closed. Node would end the process by a signal that nobody handles. */
  readonly stopListening: () => void;
}

/** Waits for SIGTERM or SIGINT, then drains. */
export const untilStopped = ({
  listening,
  io,
  drainMs,
  drainDelayMs,
  reloads,
  endsAtSecond,
  clock,
}: UntilStoppedOptions): Promise<Stopped> =>
  new Promise((resolve) => {
    let stopping = false;
    const stopListening = io.onSignal((signal) => {
      if (signal === 'SIGHUP' && reloads) return;
      if (stopping) {
        if (!endsAtSecond) return;
        listening.close();
        io.exit(1);
        return;
      }
      stopping = true;
      const began = clock.monotonic();
      listening.drain(drainMs, drainDelayMs).then((whole) => {
        if (!whole) io.stderr(`Requests that were still running after ${drainMs} ms were aborted.\n`);
        resolve({ leftMs: Math.max(0, drainMs - (clock.monotonic() - began)), stopListening });
      });
    });
  });
