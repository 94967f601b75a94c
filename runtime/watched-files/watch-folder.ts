import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../ports/clock.ts';
import { burst } from './burst.ts';
import { folderFingerprint } from './fingerprint.ts';
import { poll } from './poll.ts';

const pollMs = 1000;

export interface WatchFolderOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Reads the folder. Resolves to false if something in it could not be read and must be tried again. Must not reject. */
  readonly changed: () => Promise<boolean>;
}

export interface FolderWatch {
  /** Starts watching again, whatever happened to the folder. */
  renew(): void;
  stop(): void;
}

/**
 * Calls back after each burst of changes behind a path: in a folder, in another folder that replaced it, or behind a changed
 * link. File system events report changes immediately if they exist. What they miss (a removed folder, a link, a file system
 * without events) is found by a check every second. The first check always calls back, because something may have changed between
 * the first reading and the watch.
 */
export const watchFolder = ({ folder, clock, changed }: WatchFolderOptions): FolderWatch => {
  let watcher: FSWatcher | undefined;
  let known: string | undefined;
  let isWhole = true;
  let isStopped = false;
  const release = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const renew = (): void => {
    release();
    if (isStopped) return;
    try {
      watcher = watch(folder, { persistent: false }, (event, name) => {
        // The folder itself was moved or removed. The watch would follow it instead of the path.
        if (event === 'rename' && name === basename(folder)) release();
        changes.add();
      });
      watcher.on('error', release);
    } catch {
      // The folder does not exist now, or the system has no watches left. The next check tries again, and finds changes anyway.
    }
  };
  const changes = burst({
    clock,
    run: async () => {
      if (watcher === undefined) renew();
      // Before the reading, so that the next check finds changes made during it.
      known = await folderFingerprint(folder);
      isWhole = await changed();
    },
  });
  const looks = poll({
    clock,
    everyMs: pollMs,
    look: async () => {
      const isKnown = (await folderFingerprint(folder)) === known;
      if (!isKnown || watcher === undefined) renew();
      if (!isKnown || !isWhole) changes.add();
    },
  });
  renew();
  return {
    renew,
    stop: () => {
      isStopped = true;
      looks.stop();
      changes.stop();
      release();
    },
  };
};
