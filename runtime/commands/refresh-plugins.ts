import type { Generations } from '../generations/generations.ts';
import { poll } from '../generations/poll.ts';
import { systemClock } from '../memory/system-clock.ts';
import { reportFindings } from './report-findings.ts';
import type { IsolatedPart, ServeServices } from './serve-services.ts';

const everyMs = 1000;

export interface RefreshPluginsOptions {
  readonly generations: Generations;
  readonly isolated: readonly IsolatedPart[];
  readonly services: ServeServices;
}

/**
 * Puts new versions of isolated plugins into service when their files change, and on SIGHUP; the configs are then compiled
 * and linked again. Returns a function that stops it.
 */
export const refreshPlugins = ({ generations, isolated, services }: RefreshPluginsOptions): (() => void) => {
  if (isolated.length === 0) return () => {};
  const { io } = services;
  const refreshed = async (): Promise<readonly string[]> => {
    const changed = await Promise.all(isolated.map((part) => part.refresh()));
    return isolated.flatMap(({ name }, index) => (changed[index] === true ? [name] : []));
  };
  const look = async (): Promise<void> => {
    const names = await refreshed();
    if (names.length === 0) return;
    try {
      await reportFindings(await generations.reload({ relink: true }), services);
    } catch {
      // The folder cannot be read at the moment, which its own watch reports.
    }
    for (const name of names) io.stderr(`The plugin "${name}" was loaded again.\n`);
  };
  const looks = poll({ clock: systemClock, everyMs, look });
  const stopSignals = io.onSignal((signal) => {
    if (signal === 'SIGHUP') looks.now();
  });
  return () => {
    stopSignals();
    looks.stop();
  };
};
