import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedFolder } from '../support/installed-gateway.ts';
import { threadModules } from '../support/package-modules.ts';

const built = path.join(installedFolder, 'dist');

const importedFiles = (file: string): readonly string[] =>
  [...readFileSync(path.join(built, file), 'utf8').matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";?$/gm)].map(
    ([, name = '']) => path.join(path.dirname(file), name),
  );

/** A built file and all that it imports before it runs. */
const loadedFiles = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found;
  found.add(file);
  for (const each of importedFiles(file)) loadedFiles(each, found);
  return found;
};

const own = ['plugins/sdk/modules/own-module.js', ...threadModules.map((module) => `${module}.js`)];

describe('the threads of the store, as they are installed', () => {
  it.each(threadModules)('%s loads chunks of threads alone', (module) => {
    const loaded = [...loadedFiles(`${module}.js`)];
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((file) => !file.startsWith('chunks/threads/') && !own.includes(file))).toEqual([]);
  });
});
