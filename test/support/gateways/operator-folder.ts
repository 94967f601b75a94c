import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faces } from '../../../tools/build/package-modules.ts';

const repository = new URL('../../../', import.meta.url);

const toFile = (face: string): string => `${face === '.' ? 'index' : face.slice('./'.length)}.js`;

/** A folder like an operator's, in which installed packages can import `gatewright`. */
export interface OperatorFolder extends Disposable {
  readonly path: string;
  write(file: string, text: string): void;
  /** Copies a package of `test/fixtures` into `node_modules`. */
  install(fixture: string, name: string): void;
}

export interface OperatorFolderOptions {
  /** The folder of the package `gatewright`. Defaults to one that refers to the sources. */
  readonly gatewright?: string;
}

/** Creates the folder, with a package `gatewright`. */
export const createOperatorFolder = ({ gatewright }: OperatorFolderOptions = {}): OperatorFolder => {
  const path = mkdtempSync(join(tmpdir(), 'gatewright-plugins-'));
  const write = (file: string, text: string): void => {
    const target = join(path, file);
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, text);
  };
  const lead = (file: string, source: string): void =>
    write(`node_modules/gatewright/${file}`, `export * from ${JSON.stringify(new URL(source, repository).href)};\n`);
  const leadToSources = (): void => {
    const exports = Object.fromEntries(Object.keys(faces).map((name) => [name, `./${toFile(name)}`]));
    write('node_modules/gatewright/package.json', JSON.stringify({ name: 'gatewright', type: 'module', exports }));
    for (const [name, source] of Object.entries(faces)) lead(toFile(name), source);
  };
  mkdirSync(join(path, 'node_modules'));
  if (gatewright === undefined) leadToSources();
  else symlinkSync(gatewright, join(path, 'node_modules/gatewright'), 'junction');
  return {
    path,
    write,
    install: (fixture, name) =>
      cpSync(new URL(`test/fixtures/${fixture}`, repository), join(path, 'node_modules', name), { recursive: true }),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
};

/** Returns the URL of a folder, with a trailing slash. */
export const folderUrl = (path: string): URL => pathToFileURL(`${path}/`);
