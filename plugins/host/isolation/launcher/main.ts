/** Starts the processes of isolated plugins for the gateway, which would stand still while its own memory map is copied. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { errorText } from '../../../../schema/text/error-text.ts';
import { exitText } from '../process/spawner.ts';
import type { LaunchNews, LaunchRequest } from './messages.ts';

// What it starts has its priority: plugins get the time of processors that the gateway leaves.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** How often it looks whether the gateway is still there. */
const lookMs = 1000;

const children = new Map<number, ChildProcess>();

type StartRequest = Extract<LaunchRequest, { kind: 'start' }>;

/** Without a gateway there is nobody to notify, and the process is about to end. */
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
  // Node sends it when the gateway has acknowledged the sockets, so nothing that the process writes is read here.
  answer({ kind: 'started', id, pid: child.pid });
};

/** Node throws some of the reasons for which a process cannot be started, and reports others in an event. */
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

// However the gateway ended: a process in an endless loop does not see it.
const endAll = (): void => {
  for (const child of children.values()) child.kill('SIGKILL');
  process.exit(0);
};
process.on('disconnect', endAll);
// Node postpones that event until sockets that were sent are acknowledged, and a gateway that has ended acknowledges none.
setInterval(() => {
  if (!process.connected) endAll();
}, lookMs).unref();

// The gateway decides when its processes end; a terminal sends its signals to all of them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
