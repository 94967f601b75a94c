import path from 'node:path';

/** The folders of `PATH` that no package has put there. */
export const machinePath = (): readonly string[] =>
  (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.split(path.sep).includes('node_modules'));

/** As a third party's shell has it: this Node first, and nothing of this repository or of the npm that runs its scripts. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|vitest|node_)|_API_KEY$/i.test(name))),
  PATH: [path.dirname(process.execPath), ...machinePath()].join(path.delimiter),
});
