import { chmodSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from '../clean-environment.ts';
import { installedFolder, installedGw } from '../installed-gateway.ts';
import { createOperatorFolder, type OperatorFolder } from '../operator-folder.ts';

/** Where examples run, and with which environment. */
export interface ExamplePlace extends Pick<OperatorFolder, 'path' | 'write'> {
  readonly env: NodeJS.ProcessEnv;
}

/** A folder in which examples run with the gateway that is built before the tests: its `gw`, and what `gatewright` imports. */
export type ExampleFolder = OperatorFolder & ExamplePlace;

/** Makes `curl` print answers and errors alone, as it does on a terminal. */
export const quietCurl = 'silent\nshow-error\n';

/** Makes `curl` fail where the answer is an error, so that such an example fails too. */
export const strictCurl: string = `fail-with-body\n${quietCurl}`;

/** Makes the folder, a CommonJS package as `npm init -y` makes it. */
export const createExampleFolder = (): ExampleFolder => {
  const folder = createOperatorFolder({ gatewright: installedFolder });
  folder.write('package.json', '{ "type": "commonjs", "private": true }');
  folder.write('.home/.curlrc', strictCurl);
  folder.write('.bin/gw', `#!/bin/sh\nexec "${process.execPath}" "${installedGw}" "$@"\n`);
  // Where npm puts the commands of packages, so that npx finds it.
  folder.write('node_modules/.bin/gw', `#!/bin/sh\nexec "${process.execPath}" "${installedGw}" "$@"\n`);
  for (const command of ['.bin/gw', 'node_modules/.bin/gw']) chmodSync(path.join(folder.path, command), 0o755);
  const home = path.join(folder.path, '.home');
  const env = cleanEnvironment();
  const PATH = [path.join(folder.path, '.bin'), env.PATH].join(path.delimiter);
  return { ...folder, env: { ...env, PATH, HOME: home, CURL_HOME: home } };
};
