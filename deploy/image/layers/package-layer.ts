import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { directDependencies, lockedTree, root } from '../../support/locked-packages.ts';
import { type Entry, textFile } from '../archive/entry.ts';
import { readTar } from '../archive/read-tar.ts';

/** Where the gateway is in an image, as `npm install gatewright` in that folder would lay it out. */
const packageHome = 'usr/local/lib/gatewright';

/** Where the gateway keeps its files, and looks for its gateway file. */
export const stateFolder = 'var/lib/gatewright';

/** It is for typed modules, which `gw compile` writes beside the sources of an application. */
const isLeftOut = (name: string): boolean => name === 'ts-morph';

/** Programs have no use for types and maps of sources. */
const isUseless = (file: string): boolean => /\.(?:map|d\.[cm]?ts)$/.test(file);

/** All files of a package, without the packages in it. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesOf(file) : [file];
  });

/** The packages that the gateway can use, as npm installed them here: also those of optional parts, which nobody can add to an image later. */
export const treeEntries = (): readonly Entry[] => {
  const { needed, optional, peers } = directDependencies();
  return lockedTree([...needed, ...optional.filter((name) => !isLeftOut(name)), ...peers]).flatMap(
    ({ folder, version }) => {
      const installed: string = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')).version;
      if (installed !== version)
        throw new Error(`${folder} is ${installed}, and package-lock.json has ${version}. Run: npm ci`);
      return filesOf(path.join(root, folder))
        .map((file) => path.relative(root, file).split(path.sep).join('/'))
        .filter((file) => !isUseless(file))
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

/** A program that needs no shell and no `env`: the kernel starts Node. */
const launcher = `#!/usr/local/bin/node --max-semi-space-size=16
import('/${packageHome}/node_modules/gatewright/gw.js');
`;

/** The packed package, its command, and the folder of its user. */
export const packageEntries = (tarball: string): readonly Entry[] => [
  ...readTar(gunzipSync(readFileSync(tarball))).flatMap((entry): readonly Entry[] =>
    entry.kind === 'file' && !isUseless(entry.path)
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
