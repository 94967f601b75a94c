import type { Generations, GenerationsStatus } from '../../file-plans/generations.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import { poll } from '../../watched-files/poll.ts';
import type { IsolatedPart } from '../services/serve-environment.ts';
import type { ServeServices } from '../services/serve-services.ts';
import type { ReferringFile } from '../settings/secret-place.ts';
import { reportDiagnostics } from './report-diagnostics.ts';

const everyMs = 1000;

/** The plans that are linked again with a version on trial: those of this process, or of several. */
export interface RefreshedGenerations extends Pick<Generations, 'reload'> {
  status(): Pick<GenerationsStatus, 'refused'>;
}

export interface RefreshPluginsOptions {
  readonly generations: RefreshedGenerations;
  readonly isolated: readonly IsolatedPart[];
  readonly services: ServeServices;
  readonly environment: ReferringFile;
}

/**
 * Puts new versions of isolated plugins into service when their files change, and on SIGHUP. The configs are compiled and linked
 * again; if that breaks one of them, the earlier version stays. Returns a function that stops this.
 */
export const refreshPlugins = ({
  generations,
  isolated,
  services,
  environment,
}: RefreshPluginsOptions): (() => void) => {
  if (isolated.length === 0) return () => {};
  const { io } = services;
  const refreshed = async (): Promise<readonly IsolatedPart[]> => {
    const changed = await Promise.all(isolated.map((part) => part.refresh()));
    return isolated.filter((_, index) => changed[index] === true);
  };
  const refusedFiles = (): readonly string[] => generations.status().refused.map(({ file }) => file);

  /** Compiles and links the configs with the versions on trial. Returns the files that were served before and cannot be now. */
  const spoiledFiles = async (): Promise<readonly string[]> => {
    const before = refusedFiles();
    try {
      await reportDiagnostics(await generations.reload({ relink: true }), services, environment);
    } catch {
      // The folder cannot be read at the moment. Its own watch reports that.
    }
    return refusedFiles().filter((file) => !before.includes(file));
  };

  const look = async (): Promise<void> => {
    const parts = await refreshed();
    if (parts.length === 0) return;
    const spoiled = await spoiledFiles();
    if (spoiled.length === 0) {
      for (const part of parts) part.confirm();
      for (const { name } of parts) io.stderr(`The plugin "${name}" was reloaded.\n`);
      return;
    }
    for (const part of parts) part.revert(`with the new one, ${spoiled.join(' and ')} cannot be served.`);
    await generations.reload({ relink: true }).catch(() => {});
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
