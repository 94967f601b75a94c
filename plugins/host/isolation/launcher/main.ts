/** Starts the processes of isolated plugins for the gateway, which would otherwise pause while its memory map is copied. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { errorText } from '../../../../schema/text/error-text.ts';
import { ignoreSignals } from '../spawning/ignore-signals.ts';
import { exitText } from '../spawning/spawner.ts';
import type { LaunchNews, LaunchRequest } from './messages.ts';

// Child processes inherit the priority: plugins get the processor time that the gateway leaves.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** How often it checks whether the gateway still exists, in milliseconds. */
const lookMs = 1000;

const children = new Map<number, ChildProcess>();

type StartRequest = Extract<LaunchRequest, { kind: 'start' }>;

/** Without a gateway, there is nobody to notify, and the process is about to end. */
const answer = (news: LaunchNews, socket?: Socket): void => void process.send?.(news, socket, {}, () => {});

const start = ({ id, args, environment }: StartRequest): void => {
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const end = (why: string): void => {
    if (children.delete(id)) answer({ kind: 'ended', id, why });
  };
  children.set(id, child);
  child.once('error', (error) => end(`it cannot be started: ${error.message}`));
  child.once('exit', (code, signal) => end(exitText(code, signal)));
  if (child.pid === undefined) return;
  for (const [at, name] of [
    [1, 'stdout'],
    [2, 'stderr'],
    [3, 'wire'],
  ] as const) {
    const stream = child.stdio[at];
    if (stream instanceof Socket) answer({ kind: 'stream', id, name }, stream);
  }
  // Node sends this message after the gateway has acknowledged the sockets, so nothing that the process writes is read here.
  answer({ kind: 'started', id, pid: child.pid });
};

/** If a process cannot be started, Node throws for some reasons and emits an event for others. */
const startOrReport = (request: StartRequest): void => {
  try {
    start(request);
  } catch (error) {
    answer({ kind: 'ended', id: request.id, why: `it cannot be started: ${errorText(error)}` });
  }
};

process.on('message', (request: LaunchRequest) => {
  if (request.kind === 'start') startOrReport(request);
  else children.get(request.id)?.kill('SIGKILL');
});

// However the gateway ended: a process in an endless loop would not notice it.
const endAll = (): void => {
  for (const child of children.values()) child.kill('SIGKILL');
  process.exit(0);
};
process.on('disconnect', endAll);
// Node delays that event until sent sockets are acknowledged, which a gateway that has ended never does.
setInterval(() => {
  if (!process.connected) endAll();
}, lookMs).unref();

ignoreSignals();
