import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const memory = '/dev/shm';

/** Bytes that must be free there: several times what the tests of a whole run hold at once. */
const enough = 8 * 1024 ** 3;

const hasRoom = (): boolean => {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enough;
};

/**
 * Has tests write their temporary files to memory, where a machine has enough of it: a test with a store takes half of
 * the processor time. TMPDIR=/tmp has them on the disk.
 */
export default (): (() => void) | undefined => {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(path.join(memory, 'gatewright-tests-'));
  // PostgreSQL has a user of its own.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};
