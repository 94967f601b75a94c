import type { Generations } from '../generations/generations.ts';
import { watchFolder } from '../generations/watch-folder.ts';
import { systemClock } from '../memory/system-clock.ts';
import { reportFindings } from './report-findings.ts';
import type { ServeServices } from './serve-services.ts';

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Reloads the plans when their folder changes, and on SIGHUP, which also reads the secrets again. What is found goes to
 * stderr; what was good goes on serving. Returns how to stop.
 */
export const reloadOnChange = (generations: Generations, services: ServeServices): (() => void) => {
  const { io } = services;
  const { folder } = generations;
  if (folder === undefined) return () => {};
  const reload = async (relink: boolean): Promise<void> => {
    try {
      const before = generations.current.number;
      await reportFindings(await generations.reload({ relink }), services);
      if (generations.current.number !== before) io.stderr(`The plans of ${folder} were reloaded.\n`);
    } catch (error) {
      io.stderr(`The plans of ${folder} could not be reloaded: ${errorText(error)}\n`);
    }
  };
  const stopSignals = io.onSignal((signal) => {
    if (signal === 'SIGHUP') void reload(true);
  });
  const stopWatching = watchFolder({
    folder,
    clock: systemClock,
    changed: () => void reload(false),
    failed: (error) => io.stderr(`The folder ${folder} is not watched any more: ${error.message}\n`),
  });
  return () => {
    stopSignals();
    stopWatching();
  };
};
