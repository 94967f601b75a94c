import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

export interface OwnThreadOptions {
  /** Of the thread, for people. */
  readonly name: string;
  readonly workerData?: unknown;
  /** Megabytes of the memory in which V8 makes new objects: it grows to that under load, and stays so. V8's own measure if absent. */
  readonly youngMb?: number;
}

/**
 * The environment of threads: Node begins each without the compile cache, so that what they compile would not be
 * stored: the thread of a checkout would then load what strips types, which takes 15 MB. What follows the folder is of
 * Node's version.
 */
const cacheEnvironment = (): Readonly<Record<string, string>> => {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) };
};

/** Starts a module of the gateway (`ownModule`) in a thread. What the process was started with is not meant for it. */
export const startOwnThread = (module: URL, { name, workerData, youngMb }: OwnThreadOptions): Worker =>
  new Worker(module, {
    name,
    workerData,
    execArgv: [],
    env: { ...process.env, ...cacheEnvironment() },
    ...(youngMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMb } }),
  });
