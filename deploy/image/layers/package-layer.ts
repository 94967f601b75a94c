import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { directDependencies, lockedTree, root } from '../../support/locked-packages.ts';
import { type Entry, textFile } from '../archive/entry.ts';
import { readTar } from '../archive/read-tar.ts';

/** The folder of the gateway in an image, laid out as by `npm install gatewright` in that folder. */
const packageHome = 'usr/local/lib/gatewright';

/** The folder in which the gateway keeps its files and looks for its gateway file. */
export const stateFolder = 'var/lib/gatewright';

/** Whether a package is left out: `ts-morph` is for typed modules, which `gw compile` writes beside an application's sources. */
const isExcluded = (name: string): boolean => name === 'ts-morph';

/** Whether a file is of no use at run time: types and source maps. */
const isUnneededAtRunTime = (file: string): boolean => /\.(?:map|d\.[cm]?ts)$/.test(file);

/** Returns all files of a package, without the packages inside it. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesOf(file) : [file];
  });

/**
 * Returns the packages that the gateway can use, as npm installed them here. Those of optional parts are included, because they
 * cannot be added to an image later.
 */
export const treeEntries = (): readonly Entry[] => {
  const { needed, optional, peers } = directDependencies();
  return lockedTree([...needed, ...optional.filter((name) => !isExcluded(name)), ...peers]).flatMap(
    ({ folder, version }) => {
      const installed: string = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')).version;
      if (installed !== version)
        throw new Error(`${folder} is installed as ${installed}, but package-lock.json has ${version}. Run: npm ci`);
      return filesOf(path.join(root, folder))
        .map((file) => path.relative(root, file).split(path.sep).join('/'))
        .filter((file) => !isUnneededAtRunTime(file))
        .map(
          (file): Entry => ({
            kind: 'file',
            path: `${packageHome}/${file}`,
            data: readFileSync(path.join(root, file)),
          }),
        );
    },
  );
};

/** The `gw` program. It needs neither a shell nor `env`, because the kernel starts Node. */
const launcher = `#!/usr/local/bin/node --max-semi-space-size=16
import('/${packageHome}/node_modules/gatewright/gw.js');
`;

/** Returns the files of the packed package, its command, and the folder of its user. */
export const packageEntries = (tarball: string): readonly Entry[] => [
  ...readTar(gunzipSync(readFileSync(tarball))).flatMap((entry): readonly Entry[] =>
    entry.kind === 'file' && !isUnneededAtRunTime(entry.path)
      ? [
          {
            ...entry,
            path: entry.path.replace(/^package\//, `${packageHome}/node_modules/gatewright/`),
            isProgram: false,
          },
        ]
      : [],
  ),
  { ...textFile('usr/local/bin/gw', launcher), isProgram: true },
  { kind: 'folder', path: stateFolder, isOwned: true },
];
