import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDoctor } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { serveStore } from '../../support/gateways/stored-gateway.ts';

const isWindows = process.platform === 'win32';
const mounting = 'mount --bind . . && mount -o remount,bind,ro "$PWD" && cd "$PWD" && exec "$0" "$@"';
const unshare = ['unshare', '--map-root-user', '--mount', 'sh', '-c', mounting] as const;
const canMount = spawnSync('unshare', [...unshare.slice(1), 'true'], { cwd: import.meta.dirname }).status === 0;

const sentence =
  /gateway\.db is on a disk that is mounted read-only\. Mount it so that it can be written, or name another folder\.\n$/;

it.runIf(canMount).each(['a new store', 'a store that is there'])(
  '%s on a disk that is mounted read-only is rejected with a message that says so',
  async (which) => {
    const folder = temporaryFolder();
    if (which === 'a store that is there') {
      const gateway = await serveStore('gateway.db', { folder });
      gateway.signal('SIGTERM');
      await gateway.exited;
    }
    const run = await runDoctor(folder, { args: ['--store', 'gateway.db', '--offline'], asIs: true, through: unshare });
    expect(run.problems).toContainEqual({
      check: 'store',
      severity: 'error',
      subject: expect.stringMatching(/gateway\.db$/),
      what: expect.stringMatching(/gateway\.db is on a disk that is mounted read-only\.$/),
      remedy: 'Mount it so that it can be written, or name another folder.',
    });
    const start = serveStore('gateway.db', { folder, command: [...unshare, process.execPath, installedGw] });
    await expect(start).rejects.toThrow(sentence);
  },
);

/** Another user than the administrator, whom no permission stops. */
const nobody = 65_534;
const isAdministrator = process.getuid?.() === 0;
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] as const;
const canChange = isAdministrator ? spawnSync('setpriv', [...asNobody.slice(1), 'true']).status === 0 : !isWindows;
const served = [process.execPath, installedGw] as const;
const command = isAdministrator ? ([...asNobody, ...served] as const) : served;

describe.runIf(canChange)('a gateway whose user may only read', () => {
  const stoppedFolder = async (): Promise<string> => {
    const folder = temporaryFolder();
    if (isAdministrator) chownSync(folder, nobody, nobody);
    const gateway = await serveStore('gateway.db', { folder, command });
    gateway.signal('SIGTERM');
    await gateway.exited;
    return folder;
  };

  it.each(['gateway.db', 'gateway.db.lock'])('%s is refused with a message that says so', async (name) => {
    const folder = await stoppedFolder();
    const file = path.join(folder, name);
    if (isAdministrator) chownSync(file, 0, 0);
    chmodSync(file, 0o444);
    await expect(serveStore('gateway.db', { folder, command })).rejects.toThrow(
      `gw: The file ${file} cannot be written. Give this user the right to write it and its folder.\n`,
    );
  });
});
