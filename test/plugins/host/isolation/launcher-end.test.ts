import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const launcher = path.join(import.meta.dirname, '../../../../plugins/host/isolation/launcher/main.ts');

/** A gateway that has a process started, and is busy with something else when it is told of it: it acknowledges nothing. */
const busyGateway = `
  const { fork } = require('node:child_process');
  const launcher = fork(process.argv[1], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const request = { kind: 'start', id: 1, args: ['--eval', 'setInterval(() => {}, 1000)'], environment: {} };
  launcher.send(request, () => {
    require('node:fs').writeSync(1, launcher.pid + '\\n');
    for (;;);
  });
`;

/** Whether a process runs; one that has ended and that nobody has waited for does not. */
const runs = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const listChildren = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

it('ends with all that it started where the gateway ends before it has received them', async () => {
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
