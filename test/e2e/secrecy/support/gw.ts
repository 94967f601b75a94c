import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installedGw } from '../../../support/gateways/installed-gateway.ts';

/** Runs a `gw` command in a folder, and returns everything that it printed. Rejects if the command fails. */
export const gw = async (
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const run = { cwd, env: { ...process.env, ...env } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [installedGw, ...args], run);
  return `${stdout}${stderr}`;
};
