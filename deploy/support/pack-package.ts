import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './locked-packages.ts';

/** Packs the project, which must have been built, into a folder; gives the path of the tarball. */
export const packPackage = (folder: string): string => {
  if (!existsSync(path.join(root, 'dist/gw.js'))) throw new Error('There is no dist folder. Run: npm run build');
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  return path.join(folder, stdout.trim().split('\n').at(-1) ?? '');
};
