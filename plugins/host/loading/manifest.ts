import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText } from '../../../schema/json/loose.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { isFile } from './existing-file.ts';

/** The members of a plugin's `package.json` that describe it. */
export interface Manifest {
  /** The folder of the file. */
  readonly folder: string;
  readonly name?: string;
  readonly version?: string;
  /** The range of versions of this package, from `peerDependencies.gatewright`. */
  readonly gatewright?: string;
  /** The range of SDK versions, from `gatewright.sdk`. */
  readonly sdk?: string;
  /** The value of `gatewright.permissions`, as written. */
  readonly permissions?: unknown;
}

/** Node reads the nearest `package.json` above a module, but none above its `node_modules`. */
const manifestFile = (file: string): string | undefined => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const candidate = join(folder, 'package.json');
    if (isFile(candidate)) return candidate;
    if (folder.endsWith('node_modules') || folder === dirname(folder)) return undefined;
  }
};

/** The `package.json` of a plugin is not JSON. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/** Reads a `package.json`. Throws a `ManifestError` if it is not JSON. */
export const parsedManifest = (file: string): JsonObject => {
  try {
    return findObject(fromJson(readFileSync(file, 'utf8'))) ?? {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ManifestError(`The file ${file} is not JSON: ${toSentence(errorText(error))}`, { cause: error });
  }
};

/**
 * Reads the `package.json` that belongs to a module. Returns `undefined` if there is none. Throws a `ManifestError` if it is not
 * JSON.
 */
export const readManifest = (file: string): Manifest | undefined => {
  const found = manifestFile(file);
  if (found === undefined) return undefined;
  const manifest = parsedManifest(found);
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
