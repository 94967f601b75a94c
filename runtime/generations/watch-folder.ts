import { watch } from 'node:fs';
import type { Clock } from '../ports/clock.ts';

/** Editors and deployments write in several steps; a change counts once the folder has been quiet for this long. */
const quietMs = 100;

export interface WatchFolderOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly changed: () => void;
  /** Watching ended early: the folder is gone, or the system has no watches left. */
  readonly failed: (error: Error) => void;
}

/** Calls back after each burst of changes in a folder. Returns how to stop. */
export const watchFolder = ({ folder, clock, changed, failed }: WatchFolderOptions): (() => void) => {
  let cancel = (): void => {};
  const watcher = watch(folder, { persistent: false }, () => {
    cancel();
    cancel = clock.after(quietMs, changed);
  });
  watcher.on('error', failed);
  return () => {
    cancel();
    watcher.close();
  };
};
