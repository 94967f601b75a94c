import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import { burst } from '../../watched-files/burst.ts';
import { fileFingerprint } from '../../watched-files/fingerprint.ts';
import { poll } from '../../watched-files/poll.ts';
import { unreadableReason } from '../../watched-files/unreadable-reason.ts';
import type { HeldSecrets } from '../settings/secret-reader.ts';

const pollMs = 1000;

export interface FollowSecretsOptions {
  readonly secrets: HeldSecrets;
  readonly clock: Clock;
  /** Notifies the operator. With `state`, notifies once all workers have reached the same state. */
  readonly log: (text: string, state?: string) => void;
  /** The files whose secrets are used only at startup, such as the password of a database. */
  readonly usedOnce: ReadonlySet<string>;
  /** Called when a file without a value gets one, so that what could not be served can be. */
  readonly appeared: () => void;
}

export interface SecretsWatch {
  /** The changes that take effect only after a restart, one sentence each. */
  restarts(): readonly string[];
  stop(): void;
}

/**
 * Follows files with secrets. They may be written in place, replaced by a rename, or be behind a link that changes, as Kubernetes
 * changes `..data`. Their folders are watched, and all files are checked every second, because not every file system reports
 * changes. If a file is empty, cannot be read, or is being written, the previous value is kept.
 */
export const followSecrets = ({ secrets, clock, log, usedOnce, appeared }: FollowSecretsOptions): SecretsWatch => {
  const seen = new Map<string, string>();
  const lost = new Set<string>();
  const stale = new Set<string>();
  const watchers = new Map<string, FSWatcher>();

  const unwatch = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const watchFolders = (): void => {
    for (const folder of new Set(secrets.files().map(dirname))) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, () => changes.add());
        watchers.set(
          folder,
          watcher.on('error', () => unwatch(folder)),
        );
      } catch {
        // The folder does not exist now, or the system has no watches left. The files are checked every second anyway.
      }
    }
  };

  const read = (path: string): void => {
    const { value, error, isChanged, hadNone } = secrets.readAgain(path);
    if (value === undefined) {
      if (hadNone || lost.has(path)) return;
      lost.add(path);
      const reason = error === undefined ? 'It is empty.' : unreadableReason(error);
      log(`The secret in ${path} no longer has a value, so its previous value stays in use. ${reason}`);
      return;
    }
    lost.delete(path);
    if (!isChanged) return;
    if (usedOnce.has(path)) stale.add(path);
    const state = createHash('sha256').update(value).digest('hex');
    log(`The secret in ${path} has changed, and its new value is now used.`, state);
    if (hadNone) appeared();
  };

  /** Returns whether a file differs from how it was last seen. */
  const isOther = async (path: string): Promise<boolean> => (await fileFingerprint(path)) !== seen.get(path);

  const changes = burst({
    clock,
    run: async () => {
      // One after another, so that they do not fill the thread pool that DNS look-ups of requests need.
      for (const path of secrets.files()) {
        const before = await fileFingerprint(path);
        if (before === seen.get(path)) continue;
        read(path);
        // A file that was written meanwhile is read again by the next check.
        if ((await fileFingerprint(path)) === before) seen.set(path, before);
      }
    },
  });
  const looks = poll({
    clock,
    everyMs: pollMs,
    look: async () => {
      watchFolders();
      for (const path of secrets.files()) if (await isOther(path)) return changes.add();
    },
  });
  watchFolders();
  return {
    restarts: () =>
      [...stale].map(
        (path) => `The secret in ${path} has changed, but it is only used at startup. Restart the gateway to use it.`,
      ),
    stop: () => {
      looks.stop();
      changes.stop();
      for (const folder of [...watchers.keys()]) unwatch(folder);
    },
  };
};
