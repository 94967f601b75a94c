import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latin1Source } from '../../../tools/build/latin1-source.ts';
import { editorModule, threadModules } from '../../../tools/build/package-modules.ts';
import { installedFolder } from '../../support/gateways/installed-gateway.ts';

const built = path.join(installedFolder, 'dist');

const importedFiles = (file: string): readonly string[] =>
  [...readFileSync(path.join(built, file), 'utf8').matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";?$/gm)].map(
    ([, name = '']) => path.join(path.dirname(file), name),
  );

/** A built file and all files that it imports before it runs. */
const loadedFiles = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found;
  found.add(file);
  for (const each of importedFiles(file)) loadedFiles(each, found);
  return found;
};

const own = ['plugins/sdk/loading/own-module-of-threads.js', ...threadModules.map((module) => `${module}.js`)];

describe('the installed threads of the store', () => {
  it.each(threadModules)('load only chunks for threads: %s', (module) => {
    const loaded = [...loadedFiles(`${module}.js`)];
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((file) => !file.startsWith('chunks/threads/') && !own.includes(file))).toEqual([]);
  });
});

describe('the installed code of the gateway', () => {
  it('has no character that makes V8 keep a source in two bytes a character', () => {
    const files = globSync('**/*.js', { cwd: built }).filter(
      (file) => !file.startsWith('console/') && file !== `${editorModule}.js`,
    );
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => /[\u0100-\uffff]/.test(readFileSync(path.join(built, file), 'utf8')))).toEqual([]);
  });

  it('behaves the same with escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const code = latin1Source(`[${JSON.stringify(text)}, \`${text.replaceAll(/[\\`$]/g, '')}\`]`);
        expect(code).not.toMatch(/[\u0100-\uffff]/);
        expect([...runInNewContext(code)]).toEqual([text, text.replaceAll(/[\\`$]/g, '').replaceAll(/\r\n?/g, '\n')]);
      }),
    );
    expect(runInNewContext(latin1Source('/^[…😀]$/u.test("😀") && !/^[…😀]$/u.test("😁")'))).toBe(true);
  });

  it('is not built if an escape would change a text', () => {
    expect(() => latin1Source('String.raw`…`')).toThrow('cannot be escaped');
  });
});
