import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { burst } from '../../files/burst.ts';
import { fileFingerprint } from '../../files/fingerprint.ts';
import { poll } from '../../files/poll.ts';
import { unreadableReason } from '../../files/unreadable-reason.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HeldSecrets } from '../settings/secret-reader.ts';

const pollMs = 1000;

export interface FollowSecretsOptions {
  readonly secrets: HeldSecrets;
  readonly clock: Clock;
  /** Notifies the operator; of a new value once all workers have it, which `state` stands for. */
  readonly log: (text: string, state?: string) => void;
  /** The files whose secrets are used at the start alone, such as the password of a database. */
  readonly usedOnce: ReadonlySet<string>;
  /** Called when a file has a value that had none before, so that what could not be served can be. */
  readonly appeared: () => void;
}

export interface SecretsWatch {
  /** The changes that take effect only after a restart, one sentence each. */
  restarts(): readonly string[];
  stop(): void;
}

/**
 * Follows the files of secrets: written in place, replaced by a rename, or behind a link that is changed, as Kubernetes changes
 * `..data`. Their folders are watched, and each second all files are looked at, since not every file system reports changes. A
 * file that is empty, cannot be read, or is being written keeps the value that it had.
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
        // There is no folder now, or the system has no watches left. Each second the files are looked at anyway.
      }
    }
  };

  const read = (path: string): void => {
    const { value, error, isChanged, hadNone } = secrets.readAgain(path);
    if (value === undefined) {
      if (hadNone || lost.has(path)) return;
      lost.add(path);
      const reason = error === undefined ? 'It is empty.' : unreadableReason(error);
      log(`The secret in ${path} has no value now; the one that it had is still used. ${reason}`);
      return;
    }
    lost.delete(path);
    if (!isChanged) return;
    if (usedOnce.has(path)) stale.add(path);
    const state = createHash('sha256').update(value).digest('hex');
    log(`The secret in ${path} has changed, and its new value is used.`, state);
    if (hadNone) appeared();
  };

  /** Returns whether a file is not as it was seen last. */
  const isOther = async (path: string): Promise<boolean> => (await fileFingerprint(path)) !== seen.get(path);

  const changes = burst({
    clock,
    run: async () => {
      // One after another: they must not fill the thread pool that DNS look-ups of requests need.
      for (const path of secrets.files()) {
        const before = await fileFingerprint(path);
        if (before === seen.get(path)) continue;
        read(path);
        // One that was written to meanwhile is read again by the next look.
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
        (path) => `The secret in ${path} has changed, and it is used at the start. Restart the gateway to use it.`,
      ),
    stop: () => {
      looks.stop();
      changes.stop();
      for (const folder of [...watchers.keys()]) unwatch(folder);
    },
  };
};
