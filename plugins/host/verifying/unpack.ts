import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from '../loading/own-version.ts';
import { VerifyError } from './verify-error.ts';

const run = promisify(execFile);

/** The package of a tarball, in a temporary folder. */
export interface Unpacked {
  readonly folder: string;
  remove(): void;
}

/**
 * Unpacks a tarball created by `npm pack` (https://docs.npmjs.com/cli/v11/commands/npm-pack). It can import this package as if
 * both were installed. The packages that it depends on are not installed.
 */
export const unpack = async (tarball: string): Promise<Unpacked> => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-verify-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await run('tar', ['-xzf', tarball, '-C', folder]);
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ownFolder, join(folder, 'node_modules/gatewright'), 'junction');
  } catch {
    remove();
    throw new VerifyError(
      `${tarball} cannot be unpacked.`,
      'Make a tarball with npm pack; the program tar must be there.',
    );
  }
  return { folder: join(folder, 'package'), remove };
};
