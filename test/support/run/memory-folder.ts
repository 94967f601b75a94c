import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const memory = '/dev/shm';

/** The bytes that must be free there: several times what all tests of a run need at once. */
const enough = 8 * 1024 ** 3;

const hasRoom = (): boolean => {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enough;
};

/**
 * Makes tests write their temporary files to memory if the machine has enough, because a test with a store then takes half of
 * the processor time. TMPDIR=/tmp keeps them on disk.
 */
export default (): (() => void) | undefined => {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(path.join(memory, 'gatewright-tests-'));
  // PostgreSQL runs as a different user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};
