import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runDoctor } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { serveStore } from '../../support/gateways/stored-gateway.ts';

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
