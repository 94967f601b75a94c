import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installedGw } from '../../../support/installed-gateway.ts';

/** Runs a command of `gw` in a folder, and gives all that it printed. Rejects if it fails. */
export const gw = async (
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const run = { cwd, env: { ...process.env, ...env } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [installedGw, ...args], run);
  return `${stdout}${stderr}`;
};
