import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import { runCommand } from '../../support/commands/run-command.ts';

/** Runs `gw plugin new` with this package in place of the published one. Returns the new folder. */
export const makePlugin = async (
  name: string,
  { kind, within }: { readonly kind: string; readonly within: string },
): Promise<string> => {
  const gw = path.join(inject('project'), 'node_modules/.bin/gw');
  const { status, stderr } = await runCommand([gw, 'plugin', 'new', name, '--kind', kind], { cwd: within });
  if (status !== 0) throw new Error(`gw plugin new ended with ${status}:\n${stderr}`);
  const folder = path.join(within, name.slice(name.indexOf('/') + 1));
  const file = path.join(folder, 'package.json');
  const { devDependencies, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
  const needed = { ...devDependencies, gatewright: `file:${inject('tarball')}` };
  writeFileSync(file, JSON.stringify({ ...manifest, devDependencies: needed }));
  return folder;
};
