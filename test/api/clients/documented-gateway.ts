import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startGateway } from '../../support/gateways/gateway-process.ts';

const run = promisify(execFile);
const adminKey = 'an-admin-key-of-32-characters-or-more';
const root = path.join(import.meta.dirname, '../../..');
const gw = path.join(root, 'gw.js');

/** The folders to search for programs: this folder's own packages first. */
const programs: string = [import.meta.dirname, root]
  .map((each) => path.join(each, 'node_modules/.bin'))
  .join(path.delimiter);

/** A gateway with a store, and a folder in which tools are installed. */
export interface DocumentedGateway {
  /** The folder that contains its document, as `openapi.json`. */
  readonly folder: string;
  /** Runs a program in the folder and returns its output. Rejects with the output if the program fails. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>;
}

/** Starts a gateway from the sources with an empty store, writes its document into its folder, and stops it after the work. */
export const withDocument = async (work: (gateway: DocumentedGateway) => Promise<void>): Promise<void> => {
  const gateway = await startGateway({
    args: ['--store', 'gateway.db'],
    env: { GW_ADMIN_KEY: adminKey },
    command: [process.execPath, gw],
  });
  const { folder, baseUrl } = gateway;
  const PATH = `${programs}${path.delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, GW_BASE_URL: baseUrl, GW_ADMIN_KEY: adminKey };
  try {
    const answer = await fetch(`${baseUrl}/openapi.json`, { headers: { 'x-gw-api-key': adminKey } });
    writeFileSync(path.join(folder, 'openapi.json'), await answer.text());
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await work({
      folder,
      run: async (program, ...args) => {
        try {
          return (await run(program, [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
        } catch (error) {
          const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
          throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
        }
      },
    });
  } finally {
    await gateway.stop();
  }
};
