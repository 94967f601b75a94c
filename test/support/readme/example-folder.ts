import { chmodSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment } from '../clean-environment.ts';
import { createOperatorFolder, type OperatorFolder } from '../operator-folder.ts';

const repository = path.join(import.meta.dirname, '../../..');

/** A folder in which examples run: `gw` is this repository's, and so is what `gatewright` imports. */
export interface ExampleFolder extends OperatorFolder {
  readonly env: NodeJS.ProcessEnv;
}

/** Makes the folder. In it `curl` fails where the answer is an error, so that such an example fails too. */
export const createExampleFolder = (): ExampleFolder => {
  const folder = createOperatorFolder();
  folder.write('package.json', '{ "type": "module", "private": true }');
  folder.write('.home/.curlrc', 'fail-with-body\nsilent\nshow-error\n');
  folder.write('.bin/gw', `#!/bin/sh\nexec "${process.execPath}" "${path.join(repository, 'gw.js')}" "$@"\n`);
  chmodSync(path.join(folder.path, '.bin/gw'), 0o755);
  const home = path.join(folder.path, '.home');
  const env = cleanEnvironment();
  const PATH = [path.join(folder.path, '.bin'), env.PATH].join(path.delimiter);
  return { ...folder, env: { ...env, PATH, HOME: home, CURL_HOME: home } };
};
