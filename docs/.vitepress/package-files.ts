import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { docs } from './pages.ts';

const root = path.join(docs, '..');

const { files }: { readonly files: readonly string[] } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
);

/** The files of the package that are not build output. npm adds the README itself. */
const packaged: readonly string[] = globSync(
  ['README.md', ...files.filter((pattern) => pattern !== 'dist' && !pattern.startsWith('!'))],
  { cwd: root },
).map((file) => file.split(path.sep).join('/'));

/** Whether the package contains a file or a folder of the repository. */
const isPackaged = (source: string): boolean =>
  packaged.some((file) => file === source || file.startsWith(`${source}/`) || source.startsWith(`${file}/`));

/** Returns where readers find a repository file that the site does not have: in the package, or only in a clone. */
export const toPackagePath = (source: string): string =>
  isPackaged(source) ? `\`node_modules/gatewright/${source}\`` : `\`${source}\` of a clone`;
