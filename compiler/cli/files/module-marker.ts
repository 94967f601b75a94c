import path from 'node:path';
import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import type { CommandIo } from '../command-line/services.ts';

/** How Node reads the typed modules of a folder. */
export type ModuleFormat =
  /** As ES modules, or by their syntax if there is no package at all. */
  | { readonly kind: 'importable' }
  /** As CommonJS, unless a `package.json` in the folder states otherwise. */
  | { readonly kind: 'marked'; readonly file: string; readonly text: string }
  /** As CommonJS, because the folder has its own `package.json`, which must not be changed. */
  | { readonly kind: 'refused'; readonly file: string };

const markerText = `${JSON.stringify({ type: 'module' }, null, 2)}\n`;

const isModulePackage = (text: string): boolean => {
  try {
    const manifest: unknown = fromJson(text);
    return isJsonObject(manifest) && manifest.type === 'module';
  } catch {
    return false;
  }
};

/** Returns the `package.json` that Node uses for the files of a folder. */
const nearestManifest = async (folder: string, io: CommandIo): Promise<string | undefined> => {
  const file = path.join(folder, 'package.json');
  if ((await io.readKind(file)) === 'file') return file;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : nearestManifest(parent, io);
};

/**
 * Determines how Node reads typed modules in a folder. `npm init -y` creates CommonJS packages, in which a `.ts` file with
 * `export` fails. A `package.json` beside the modules declares them as ES modules, and changes nothing for the surrounding
 * package. See https://nodejs.org/api/packages.html#determining-module-system.
 */
export const moduleFormat = async (out: string, io: CommandIo): Promise<ModuleFormat> => {
  const nearest = await nearestManifest(path.resolve(io.cwd, out), io);
  if (nearest === undefined) return { kind: 'importable' };
  const text = await io.readFile(nearest);
  const file = path.join(out, 'package.json');
  const isOwn = nearest === path.resolve(io.cwd, file);
  if (isOwn && text !== markerText) return isModulePackage(text) ? { kind: 'importable' } : { kind: 'refused', file };
  return isOwn || !isModulePackage(text) ? { kind: 'marked', file, text: markerText } : { kind: 'importable' };
};
