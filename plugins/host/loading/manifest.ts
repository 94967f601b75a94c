import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fromJson } from '../../../schema/json/from-json.ts';
import { findObject, findText } from '../../../schema/json/loose.ts';
import { isFile } from './existing-file.ts';

/** The members of a plugin's `package.json` that describe it. */
export interface Manifest {
  /** The folder that it is in. */
  readonly folder: string;
  readonly name?: string;
  readonly version?: string;
  /** The range of this package's versions, from `peerDependencies.gatewright`. */
  readonly gatewright?: string;
  /** The range of the SDK's versions, from `gatewright.sdk`. */
  readonly sdk?: string;
  /** As it is written in `gatewright.permissions`. */
  readonly permissions?: unknown;
}

/** Node reads the nearest `package.json` above a module, and none above its `node_modules`. */
const manifestFile = (file: string): string | undefined => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const candidate = join(folder, 'package.json');
    if (isFile(candidate)) return candidate;
    if (folder.endsWith('node_modules') || folder === dirname(folder)) return undefined;
  }
};

/** The `package.json` that belongs to a module; `undefined` where there is none. Throws where it is not JSON. */
export const readManifest = (file: string): Manifest | undefined => {
  const found = manifestFile(file);
  if (found === undefined) return undefined;
  const manifest = findObject(fromJson(readFileSync(found, 'utf8'))) ?? {};
  const own = findObject(manifest.gatewright) ?? {};
  const said = {
    name: findText(manifest.name),
    version: findText(manifest.version),
    gatewright: findText(findObject(manifest.peerDependencies)?.gatewright),
    sdk: findText(own.sdk),
  };
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return {
    folder: dirname(found),
    ...known,
    ...(own.permissions === undefined ? {} : { permissions: own.permissions }),
  };
};
