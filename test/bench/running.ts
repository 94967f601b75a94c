import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Ports, Traffic } from './configs.ts';
import type { LoadOptions, LoadResult } from './load.ts';
import { cpuMicros, putLoad, type Server, servingMicros, untilQuiet } from './measure.ts';
import { chatRequest, streamEvents, streamFrames } from './payloads.ts';
import type { Subject } from './subject.ts';

/** A subject whose process serves. */
export interface Running {
  readonly subject: Subject;
  readonly server: Server;
}

type LoadKind = Pick<LoadOptions, 'mode' | 'connections' | 'seconds'> & Partial<LoadOptions>;

/** The load that some traffic is, on the way of a subject. */
export const loadOn = ({ subject, server }: Running, traffic: Traffic, kind: LoadKind): LoadOptions => ({
  port: server.port,
  body: chatRequest({ stream: traffic !== '', isVaried: subject.isVaried ?? false }),
  ...subject.route(traffic),
  ...kind,
});

/** The load of connections that are always busy. */
export const busy = (running: Running, seconds: number): LoadOptions =>
  loadOn(running, '', { mode: 'closed', connections: 64, seconds });

/** How many chunks so many bytes of streams are. */
export const chunksIn = (bytes: number): number => (bytes / Buffer.byteLength(streamFrames.join(''))) * streamEvents;

export interface Measured extends LoadResult {
  /** CPU time of all threads, in microseconds. */
  readonly cpu: number;
  /** Of these, on the thread that serves. */
  readonly serving: number;
}

/**
 * Seconds of the same load before what is measured: V8 drops the code of functions that nothing calls for some time. Of streams
 * only some hundred a second begin and end, so that it takes longer until what does that is compiled.
 */
const secondsBefore = ({ mode }: LoadOptions): number => (mode === 'streams' ? 10 : 2);

/** Puts load on a subject until the last of its work is done. Throws if a request failed. */
const load = async ({ server: { name, pid } }: Running, options: LoadOptions): Promise<LoadResult> => {
  const result = await putLoad(options);
  if (result.failures > 0) throw new Error(`${name}: ${result.failures} requests failed.`);
  await untilQuiet(pid);
  return result;
};

/**
 * Puts load on a subject and takes the CPU time that its process spent on it, also after the last answer.
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

/** All kinds of traffic, so that no code has seen only the kind that is measured. */
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

/** Starts the provider of all subjects, and the receiver of their traces; a function that ends it. */
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
