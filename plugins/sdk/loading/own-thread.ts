import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

export interface OwnThreadOptions {
  /** The name of the thread, for people. */
  readonly name: string;
  readonly workerData?: unknown;
  /**
   * The maximum size in megabytes of V8's young generation, which grows to it under load and does not shrink. V8's default if
   * absent.
   */
  readonly youngMb?: number;
}

/**
 * The environment of threads. Node starts each thread without the compile cache, so what it compiles would not be stored. A
 * thread of a checkout would then have to load the code that strips types, which takes 15 MB. `NODE_COMPILE_CACHE` is the parent
 * of the cache folder, whose last segment depends on Node's version.
 */
const cacheEnvironment = (): Readonly<Record<string, string>> => {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) };
};

/** Starts a module of the gateway (`ownModule`) in a thread, without the command-line options of the process. */
export const startOwnThread = (module: URL, { name, workerData, youngMb }: OwnThreadOptions): Worker =>
  new Worker(module, {
    name,
    workerData,
    execArgv: [],
    env: { ...process.env, ...cacheEnvironment() },
    ...(youngMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMb } }),
  });
