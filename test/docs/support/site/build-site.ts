import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../../tools/build/package-modules.ts';

const run = promisify(execFile);

/** Builds the site for a base path into a folder. Rejects with the output of the build, which names dead links. */
export const buildSite = async (base: string, folder: string): Promise<void> => {
  const program = path.join(root, 'node_modules/vitepress/bin/vitepress.js');
  await run(process.execPath, [program, 'build', 'docs', '--base', base, '--outDir', folder], {
    cwd: root,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
};
