import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { cleanEnvironment, machinePath } from '../support/commands/clean-environment.ts';
import { runCommand } from '../support/commands/run-command.ts';
import { newFolder, repository } from './support/packages.ts';

const machineNode: string | undefined = machinePath()
  .map((folder) => path.join(folder, 'node'))
  .find((file) => existsSync(file));

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 19);
};

const readVersion = async (node: string): Promise<string> =>
  (await runCommand([node, '-p', 'process.versions.node'], { cwd: repository })).stdout.trim();

it('gw exits on an old Node with one sentence that names the required version', async ({ skip }) => {
  const project = inject('project');
  if (machineNode === undefined) return skip('This machine has no Node of its own.');
  const version = await readVersion(machineNode);
  if (!isOld(version)) return skip(`The machine's Node is ${version}, which is not old.`);

  const bin = path.join('node_modules', 'gatewright', 'gw.js');
  expect(await runCommand([machineNode, bin, 'serve'], { cwd: project })).toEqual({
    status: 1,
    stdout: '',
    stderr: `Gatewright needs Node 22.19 or newer, and this is Node ${version}. Install a newer one: https://nodejs.org\n`,
  });
});

it('npm ci prints no warning in a clone on an old Node, which only runs npm', async ({ skip }) => {
  if (machineNode === undefined) return skip('This machine has no Node of its own.');
  const version = await readVersion(machineNode);
  if (!isOld(version)) return skip(`The machine's Node is ${version}, which is not old.`);

  const clone = newFolder();
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  const workspaces = ['test/api/clients/package.json', 'test/toolchain/package.json'];
  for (const file of ['package.json', 'package-lock.json', '.npmrc', ...workspaces])
    cpSync(path.join(repository, file), path.join(clone, file), { recursive: true });
  const env = { ...cleanEnvironment(), PATH: machinePath().join(path.delimiter) };
  const { status, stderr } = await runCommand(['npm', 'ci', '--dry-run', '--prefer-offline'], { cwd: clone, env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
