import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../../support/commands/clean-environment.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { stillRunning, workersOf } from './worker-processes.ts';

/** Makes a worker wait for a second before it listens, and report that with a file. */
const slowListen = `import { writeFileSync } from 'node:fs';
import { Server } from 'node:net';
const { listen } = Server.prototype;
if (process.env.GW_WORKER_OF !== undefined)
  Server.prototype.listen = function (...given) {
    writeFileSync('starting-' + process.pid, '');
    setTimeout(() => listen.apply(this, given), 1000);
    return this;
  };
`;

it('workers that are still starting end if the first process is killed', async () => {
  const files = {
    'gateway.json': { configs: 'configs' },
    'configs/main.json': { provider: 'echo' },
    'slow-listen.mjs': slowListen,
  };
  const cwd = writeFolder(files, temporaryFolder());
  const owner = spawn(process.execPath, [installedGw, 'serve', '--port', '0', '--workers', '2'], {
    ...{ cwd, stdio: 'ignore' },
    env: { ...cleanEnvironment(), NODE_OPTIONS: `--import=${pathToFileURL(path.join(cwd, 'slow-listen.mjs')).href}` },
  });
  const starting = (): readonly number[] =>
    workersOf({ pid: owner.pid ?? 0 }).filter((pid) => existsSync(path.join(cwd, `starting-${pid}`)));
  await expect.poll(() => starting().length, patience).toBe(2);
  const workers = starting();
  onTestFinished(() => {
    for (const pid of stillRunning(workers)) process.kill(pid, 'SIGKILL');
  });
  owner.kill('SIGKILL');
  await expect.poll(() => stillRunning(workers), patience).toEqual([]);
});
