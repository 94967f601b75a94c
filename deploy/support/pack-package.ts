import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './locked-packages.ts';
import { requireBuild } from './require-build.ts';

/** Packs the project, which must have been built, into a folder. Returns the path of the tarball. */
export const packPackage = (folder: string): string => {
  requireBuild();
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  return path.join(folder, stdout.trim().split('\n').at(-1) ?? '');
};
