import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { exitText, type Spawner } from './spawner.ts';

const running = new Set<() => void>();

/** A process in an endless loop would not notice that the gateway has ended. */
const killAll = (): void => {
  for (const kill of running) kill();
};

const track = (kill: () => void): (() => void) => {
  if (running.size === 0) process.once('exit', killAll);
  running.add(kill);
  return () => {
    running.delete(kill);
    if (running.size === 0) process.off('exit', killAll);
  };
};

/** Starts a process from this one, which pauses while its memory map is copied. The more memory it has, the longer that takes. */
export const spawnHere: Spawner = ({ args, environment, started, ended }) => {
  const child = spawn(process.execPath, args, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const kill = (): void => void child.kill('SIGKILL');
  const untrack = track(kill);
  child.once('error', (error) => {
    untrack();
    ended(`it cannot be started: ${error.message}`);
  });
  child.once('exit', (code, signal) => {
    untrack();
    ended(exitText(code, signal));
  });
  // Processes that work for a gateway must not keep it running.
  child.unref();
  const [, stdout, stderr, wire] = child.stdio;
  if (!(stdout instanceof Socket && stderr instanceof Socket && wire instanceof Socket))
    throw new TypeError('The process has no channel.');
  for (const each of [stdout, stderr, wire]) each.unref();
  started({ pid: child.pid ?? 0, stdout, stderr, wire });
  return kill;
};
