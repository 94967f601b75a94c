import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Place } from '../../clients/official-client.ts';

const run = promisify(execFile);

const readVersion = 'import sys, importlib.metadata as metadata; print(metadata.version(sys.argv[1]), end="")';

/** Python libraries that are installed in a folder of their own. */
export interface PythonLibraries {
  versionOf(library: string): Promise<string>;
  /** Sends a request through a module of `clients` and returns what its library read from the response. */
  ask(module: string, dialect: string, place: Place, text: string): Promise<string>;
}

/** Installs libraries from PyPI in a virtual environment. Needs Python 3.10 or newer. */
export const installFromPypi = async (folder: string, libraries: readonly string[]): Promise<PythonLibraries> => {
  const program = path.join(folder, 'bin/python');
  const runPython = async (args: readonly string[]): Promise<string> => (await run(program, args)).stdout;
  await run('python3', ['-m', 'venv', folder]);
  await run(program, ['-m', 'pip', 'install', '-q', ...libraries], { maxBuffer: Number.POSITIVE_INFINITY });
  return {
    versionOf: (library) => runPython(['-c', readVersion, library]),
    ask: (module, dialect, place, text) =>
      runPython(['-B', path.join(import.meta.dirname, 'ask.py'), module, dialect, JSON.stringify(place), text]),
  };
};
