import { spawnSync } from 'node:child_process';
import path from 'node:path';

export const root: string = path.join(import.meta.dirname, '../..');

/** Compiles the sources of the package into a folder; gives what the compiler printed, which is nothing where all is well. */
export const compileSources = (folder: string): string => {
  const { status, stdout, stderr, error } = spawnSync('tsc', ['-p', 'tsconfig.build.json', '--outDir', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return '';
  return `${stdout ?? ''}${stderr ?? ''}` || String(error ?? `tsc ended with ${status}`);
};
