import { chmodSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from '../commands/clean-environment.ts';
import { installedFolder, installedGw } from '../gateways/installed-gateway.ts';
import { createOperatorFolder, type OperatorFolder } from '../gateways/operator-folder.ts';

/** The folder and environment in which examples run. */
export interface ExamplePlace extends Pick<OperatorFolder, 'path' | 'write'> {
  readonly env: NodeJS.ProcessEnv;
}

/**
 * A folder in which examples run with the gateway that is built before the tests: its `gw`, and what imports of `gatewright`
 * resolve to.
 */
export type ExampleFolder = OperatorFolder & ExamplePlace;

/** Makes `curl` print only answers and errors, as it does on a terminal. */
export const quietCurl = 'silent\nshow-error\n';

/** Makes `curl` fail if the answer is an error, so that such an example fails as well. */
export const strictCurl: string = `fail-with-body\n${quietCurl}`;

/** Creates the folder as a CommonJS package, as `npm init -y` does. */
export const createExampleFolder = (): ExampleFolder => {
  const folder = createOperatorFolder({ gatewright: installedFolder });
  folder.write('package.json', '{ "type": "commonjs", "private": true }');
  folder.write('.home/.curlrc', strictCurl);
  folder.write('.bin/gw', `#!/bin/sh\nexec "${process.execPath}" "${installedGw}" "$@"\n`);
  // The place where npm puts the commands of packages, so that npx finds it.
  folder.write('node_modules/.bin/gw', `#!/bin/sh\nexec "${process.execPath}" "${installedGw}" "$@"\n`);
  for (const command of ['.bin/gw', 'node_modules/.bin/gw']) chmodSync(path.join(folder.path, command), 0o755);
  const home = path.join(folder.path, '.home');
  const env = cleanEnvironment();
  const PATH = [path.join(folder.path, '.bin'), env.PATH].join(path.delimiter);
  return { ...folder, env: { ...env, PATH, HOME: home, CURL_HOME: home } };
};
