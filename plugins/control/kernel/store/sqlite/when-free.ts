import { setTimeout } from 'node:timers/promises';
import { isBusyCode } from './failure.ts';

/** How long to wait for another process that has a file locked, in milliseconds. */
export const busyTimeout = 5000;

/** The pauses between the first tries, and between all others, in milliseconds. */
const firstPauses = [1, 2, 5, 10] as const;
const furtherPause = 25;

/**
 * Runs what needs a lock of a file, and tries again while another process has it. SQLite could wait itself, but would block the
 * thread, and with it all other files and reads.
 *
 * @throws SQLite's error if the lock is not free in time
 */
export const whenFree = async <Result>(run: () => Result): Promise<Result> => {
  const until = performance.now() + busyTimeout;
  for (let tries = 0; ; tries += 1) {
    try {
      return run();
    } catch (error) {
      if (!isBusyCode(error) || performance.now() >= until) throw error;
    }
    await setTimeout(firstPauses[tries] ?? furtherPause);
  }
};
