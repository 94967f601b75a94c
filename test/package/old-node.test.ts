import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { machinePath } from '../support/clean-environment.ts';
import { runCommand } from '../support/run-command.ts';

const machineNode: string | undefined = machinePath()
  .map((folder) => path.join(folder, 'node'))
  .find((file) => existsSync(file));

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 19);
};

it('says to an old Node in one sentence what it needs', async ({ skip }) => {
  const project = inject('project');
  if (machineNode === undefined) return skip('This machine has no Node of its own.');
  const { stdout } = await runCommand([machineNode, '-p', 'process.versions.node'], { cwd: project });
  const version = stdout.trim();
  if (!isOld(version)) return skip(`The machine's Node is ${version}, which is not old.`);

  const bin = path.join('node_modules', 'gatewright', 'gw.js');
  expect(await runCommand([machineNode, bin, 'serve'], { cwd: project })).toEqual({
    status: 1,
    stdout: '',
    stderr: `Gatewright needs Node 22.19 or newer, and this is Node ${version}. Install a newer one: https://nodejs.org\n`,
  });
});
