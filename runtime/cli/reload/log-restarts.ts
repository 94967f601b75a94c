import type { Generations } from '../../file-plans/generations.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import { poll } from '../../watched-files/poll.ts';
import type { ServeIo } from '../services/serve-services.ts';

const everyMs = 1000;

export interface LogRestartsOptions {
  readonly generations: Pick<Generations, 'noteRestart'>;
  readonly io: ServeIo;
  /** Lists what has changed on disk and takes effect only after a restart, one sentence each. */
  readonly reasons: () => Promise<readonly string[]>;
}

/**
 * Reports what has changed on disk and takes effect only after a restart, because a loaded module stays loaded: at `/readyz`, and
 * once on stderr. Returns a function that stops this.
 */
export const logRestarts = ({ generations, io, reasons }: LogRestartsOptions): (() => void) => {
  let said: readonly string[] = [];
  const looks = poll({
    clock: systemClock,
    everyMs,
    look: async () => {
      const current = await reasons();
      generations.noteRestart(current);
      for (const reason of current) if (!said.includes(reason)) io.stderr(`gw: ${reason}\n`);
      said = current;
    },
  });
  const stopSignals = io.onSignal((signal) => {
    if (signal === 'SIGHUP') looks.now();
  });
  return () => {
    stopSignals();
    looks.stop();
  };
};
