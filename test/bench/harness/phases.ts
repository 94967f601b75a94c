import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoadOptions } from './load.ts';
import { holdStreams, putLoad, residentMb, startServer } from './measure.ts';
import { chatRequest } from './payloads.ts';
import { busy, chunksIn, loadOn, measure, type Running, warmUp } from './running.ts';
import type { Samples } from './samples.ts';
import type { Subject } from './subject.ts';

/** The options of a phase. */
export interface PhaseOptions {
  readonly samples: Samples;
  readonly seconds: number;
  /** How many streams are held open at once. */
  readonly streams: number;
}

type Phase = (running: Running, options: PhaseOptions) => Promise<void>;

/** Requests per second of the phase `steady`. All subjects can serve this rate, so all leave the machine the same idle time. */
export const steadyRate = 2500;
const openRate = 1000;

/** Returns the name of a figure for requests that are not traced. */
export const untraced = (figure: string): string => `${figure}, untraced`;

/** Measures requests that are not traced, in the same process as the others. */
const measureUntraced = async (running: Running, options: LoadOptions, add: (serving: number) => void) => {
  const { untraced: route } = running.subject;
  if (route === undefined) return;
  const { serving, answers } = await measure(running, { ...options, ...route });
  add(serving / answers);
};

export const chat: Phase = async (running, { samples, seconds }) => {
  const { name } = running.server;
  const options = busy(running, seconds);
  const { cpu, serving, answers } = await measure(running, options);
  samples.record(name, 'cpu per request', cpu / answers);
  samples.record(name, 'serving thread per request', serving / answers);
  samples.record(name, 'requests a second', answers / seconds);
  await measureUntraced(running, options, (each) => samples.record(name, untraced('serving thread per request'), each));
};

const fallback: Phase = async (running, { samples, seconds }) => {
  const { subject, server } = running;
  if (subject.fallback === undefined) return;
  const { cpu, answers } = await measure(running, { ...busy(running, seconds), ...subject.fallback });
  samples.record(server.name, 'cpu per fallback', cpu / answers);
};

const large: Phase = async (running, { samples, seconds }) => {
  const body = chatRequest({ promptKb: 100 });
  const options = loadOn(running, '', { mode: 'closed', connections: 16, seconds, body });
  const { cpu, answers } = await measure(running, options);
  samples.record(running.server.name, 'cpu per large request', cpu / answers);
};

export const streams: Phase = async (running, { samples, seconds }) => {
  const { name } = running.server;
  const options = loadOn(running, '/paced', { mode: 'streams', connections: 50, seconds });
  const { cpu, serving, bytes, firstContent } = await measure(running, options);
  samples.record(name, 'cpu per chunk', cpu / chunksIn(bytes));
  samples.record(name, 'serving thread per chunk', serving / chunksIn(bytes));
  samples.record(name, 'first content', firstContent);
};

const p99At = async (running: Running, seconds: number): Promise<number> => {
  const kind = { mode: 'open', connections: 64, rate: openRate, seconds, uncountedSeconds: 1 } as const;
  return (await measure(running, loadOn(running, '', kind))).p99;
};

export const open: Phase = async (running, { samples, seconds }) => {
  samples.record(running.server.name, 'p99 at 1000 rps', await p99At(running, seconds));
};

const steady: Phase = async (running, { samples, seconds }) => {
  const { name } = running.server;
  const options = loadOn(running, '', { mode: 'open', connections: 64, rate: steadyRate, seconds });
  const { serving, answers } = await measure(running, options);
  const figure = 'serving thread per request at a steady rate';
  samples.record(name, figure, serving / answers);
  await measureUntraced(running, options, (each) => samples.record(name, untraced(figure), each));
};

/** The phases of a round, in order. */
export const roundPhases: Readonly<Record<string, Phase>> = { chat, fallback, streams, large, open, steady };

/** Sends requests at a fixed rate while the plan of a configs folder is swapped ten times a second. */
export const openWithSwaps = async (
  running: Running,
  folder: string,
  { samples, seconds }: PhaseOptions,
): Promise<void> => {
  const file = path.join(folder, 'configs/nested.json');
  const text = readFileSync(file, 'utf8');
  let swap = 0;
  const swapping = setInterval(() => {
    swap += 1;
    writeFileSync(file, text.replace('"attempts":2', `"attempts":${1 + (swap % 2)}`));
  }, 100);
  const p99 = await p99At(running, seconds);
  clearInterval(swapping);
  writeFileSync(file, text);
  samples.record(running.server.name, 'p99 with swaps', p99);
};

/** Measures the memory left over from the earlier phases, and the memory of open streams. */
export const memory: Phase = async (running, { samples, streams: connections }) => {
  const { pid, name } = running.server;
  const before = residentMb(pid);
  samples.record(name, 'memory after load', before);
  const release = await holdStreams(loadOn(running, '/held', { mode: 'hold', connections, seconds: 0 }));
  // Wait, so that each stream carries traffic: it has an event every two seconds.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  samples.record(name, 'memory per open stream', ((residentMb(pid) - before) * 1024) / connections);
  await release();
};

/** The port offset of a subject's second process, which runs while the first one serves. */
const secondPort = 50;

/** Measures how long a separate process takes to its first 200. */
export const start = async ({ server: options }: Subject, { samples }: PhaseOptions): Promise<void> => {
  const server = await startServer({ ...options, port: options.port + secondPort });
  samples.record(server.name, 'start', server.startMs);
  await server.stop();
};

/** Measures what a separate process allocates. */
export const allocation = async (subject: Subject, { samples, seconds }: PhaseOptions): Promise<void> => {
  const { name, port } = subject.server;
  const server = await startServer({ ...subject.server, port: port + secondPort, countsAllocations: true });
  const running = { subject, server };
  await warmUp(running);
  let answers = 0;
  let bytes = 0;
  const requests = await server.allocated(async () => {
    ({ answers } = await putLoad(busy(running, seconds)));
  });
  const chunks = await server.allocated(async () => {
    ({ bytes } = await putLoad(loadOn(running, '/paced', { mode: 'streams', connections: 50, seconds })));
  });
  samples.record(name, 'KB per request', requests / answers / 1000);
  samples.record(name, 'KB per chunk', chunks / chunksIn(bytes) / 1000);
  await server.stop();
};
