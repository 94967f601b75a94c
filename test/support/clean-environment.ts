import path from 'node:path';

/** The folders of `PATH` that no package has put there. */
export const machinePath = (): readonly string[] =>
  (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.split(path.sep).includes('node_modules'));

const ofThisRun = /^(npm_|vitest|node_)|_API_KEY$/i;
/** How the machine's network is reached is not of this run. */
const ofNetwork = 'NODE_EXTRA_CA_CERTS';

/** As a third party's shell has it: this Node first, and nothing of this repository or of the npm that runs its scripts. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name === ofNetwork || !ofThisRun.test(name))),
  PATH: [path.dirname(process.execPath), ...machinePath()].join(path.delimiter),
});
