import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const launcher = path.join(import.meta.dirname, '../../../../plugins/host/isolation/launcher/main.ts');

/** A gateway that has a process started, and is too busy when it is notified of that to acknowledge anything. */
const busyGateway = `
  const { fork } = require('node:child_process');
  const launcher = fork(process.argv[1], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const request = { kind: 'start', id: 1, args: ['--eval', 'setInterval(() => {}, 1000)'], environment: {} };
  launcher.send(request, () => {
    require('node:fs').writeSync(1, launcher.pid + '\\n');
    for (;;);
  });
`;

/** Whether a process runs. A zombie process does not count. */
const runs = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const listChildren = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

it('the launcher ends with every process that it started if the gateway ends before it acknowledges them', async () => {
  const gateway = spawn(process.execPath, ['--eval', busyGateway, launcher], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(gateway.stdout, 'data');
  const pid = Number(String(line));
  onTestFinished(() => {
    gateway.kill('SIGKILL');
    for (const each of runs(pid) ? [...listChildren(pid), pid] : []) process.kill(each, 'SIGKILL');
  });
  await expect.poll(() => listChildren(pid)).toHaveLength(1);
  const [child = 0] = listChildren(pid);
  gateway.kill('SIGKILL');
  await expect.poll(() => [pid, child].filter(runs)).toEqual([]);
});
