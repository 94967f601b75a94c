import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Ports, Traffic } from './configs.ts';
import type { LoadOptions, LoadResult } from './load.ts';
import { cpuMicros, putLoad, type Server, servingMicros, untilQuiet } from './measure.ts';
import { chatRequest, streamEvents, streamFrames } from './payloads.ts';
import type { Subject } from './subject.ts';

/** A subject whose process is serving. */
export interface Running {
  readonly subject: Subject;
  readonly server: Server;
}

type LoadKind = Pick<LoadOptions, 'mode' | 'connections' | 'seconds'> & Partial<LoadOptions>;

/** Returns the load for a kind of traffic and a subject's route. */
export const loadOn = ({ subject, server }: Running, traffic: Traffic, kind: LoadKind): LoadOptions => ({
  port: server.port,
  body: chatRequest({ stream: traffic !== '', isVaried: subject.isVaried ?? false }),
  ...subject.route(traffic),
  ...kind,
});

/** Returns a load that keeps all connections busy. */
export const busy = (running: Running, seconds: number): LoadOptions =>
  loadOn(running, '', { mode: 'closed', connections: 64, seconds });

/** Returns how many chunks this number of stream bytes contains. */
export const chunksIn = (bytes: number): number => (bytes / Buffer.byteLength(streamFrames.join(''))) * streamEvents;

export interface Measured extends LoadResult {
  /** CPU time of all threads, in microseconds. */
  readonly cpu: number;
  /** The part of `cpu` that the thread that serves requests used. */
  readonly serving: number;
}

/**
 * Returns for how many seconds the same load runs before it is measured. V8 drops the code of functions that are not called for
 * some time. Only a few hundred streams start and end per second, so the code for that takes longer to be compiled.
 */
const secondsBefore = ({ mode }: LoadOptions): number => (mode === 'streams' ? 10 : 2);

/** Puts load on a subject, and waits until it has finished all its work. Throws if a request failed. */
const load = async ({ server: { name, pid } }: Running, options: LoadOptions): Promise<LoadResult> => {
  const result = await putLoad(options);
  if (result.failures > 0) throw new Error(`${name}: ${result.failures} requests failed.`);
  await untilQuiet(pid);
  return result;
};

/**
 * Puts load on a subject, and measures the CPU time that its process spends on it, including the work after the last answer.
 *
 * @throws if a request failed
 */
export const measure = async (running: Running, options: LoadOptions): Promise<Measured> => {
  await load(running, { ...options, seconds: secondsBefore(options) });
  const { pid } = running.server;
  const [cpu, serving] = [cpuMicros(pid), servingMicros(pid)];
  const result = await load(running, options);
  return { ...result, cpu: cpuMicros(pid) - cpu, serving: servingMicros(pid) - serving };
};

/** Sends all kinds of traffic, so that V8 does not optimise code only for the kind that is measured. */
export const warmUp = async (running: Running): Promise<void> => {
  await putLoad(busy(running, 4));
  await putLoad(loadOn(running, '/paced', { mode: 'streams', connections: 50, seconds: 2 }));
  await putLoad(loadOn(running, '/flat-out', { mode: 'streams', connections: 16, seconds: 1 }));
  const body = chatRequest({ promptKb: 100 });
  await putLoad(loadOn(running, '', { mode: 'closed', connections: 16, seconds: 1, body }));
  const { fallback, untraced } = running.subject;
  if (untraced !== undefined) await putLoad({ ...busy(running, 2), ...untraced });
  if (fallback !== undefined) await putLoad({ ...busy(running, 1), ...fallback });
  await untilQuiet(running.server.pid);
};

/** Starts the provider of all subjects and the receiver of their traces. The returned function stops both. */
export const startUpstream = async ({ upstream, receiver }: Ports): Promise<() => void> => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'upstream.ts')], {
    env: { ...process.env, PORT: String(upstream), RECEIVER_PORT: String(receiver) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () =>
      reject(new Error(`The provider of the benchmark did not start; is the port ${upstream} free?`)),
    );
  });
  return () => child.kill();
};
