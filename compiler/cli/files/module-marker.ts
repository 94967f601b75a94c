import path from 'node:path';
import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import type { CommandIo } from '../command-line/services.ts';

/** How Node reads the typed modules of a folder. */
export type ModuleFormat =
  /** As ES modules, or by their syntax where there is no package at all. */
  | { readonly kind: 'importable' }
  /** As CommonJS, unless a `package.json` in the folder says otherwise. */
  | { readonly kind: 'marked'; readonly file: string; readonly text: string }
  /** As CommonJS: the folder has a `package.json` of its own, which nobody else may change. */
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

/** The `package.json` that Node asks for the files of a folder. */
const nearestManifest = async (folder: string, io: CommandIo): Promise<string | undefined> => {
  const file = path.join(folder, 'package.json');
  if ((await io.readKind(file)) === 'file') return file;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : nearestManifest(parent, io);
};

/**
 * How Node reads typed modules in a folder. `npm init -y` makes CommonJS packages, in which a `.ts` file with `export`
 * fails; a `package.json` beside the modules says that they are ES modules, and changes nothing for the package around.
 * See https://nodejs.org/api/packages.html#determining-module-system.
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
