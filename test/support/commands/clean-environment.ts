import path from 'node:path';

/** The folders in `PATH` that no npm package has added. */
export const machinePath = (): readonly string[] =>
  (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.split(path.sep).includes('node_modules'));

const ofThisRun = /^(npm_|vitest|node_)|_API_KEY$/i;
/** The network settings of the machine are independent of this run. */
const ofNetwork = 'NODE_EXTRA_CA_CERTS';

/**
 * The environment of a third party's shell: this Node first, and nothing from this repository or from the npm that runs its
 * scripts.
 */
export const cleanEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name === ofNetwork || !ofThisRun.test(name))),
  PATH: [path.dirname(process.execPath), ...machinePath()].join(path.delimiter),
});
