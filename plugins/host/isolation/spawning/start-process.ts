import { fileURLToPath } from 'node:url';
import { ownModule } from '../../../sdk/loading/own-module.ts';
import { createLineChannel, type LineChannel } from './line-channel.ts';
import { passOutput } from './pass-output.ts';
import { spawnHere } from './spawn-here.ts';
import type { Spawner } from './spawner.ts';
import { watchMemory } from './watch-memory.ts';

export interface StartProcessOptions {
  /** The module to run; that of isolated plugins if absent. */
  readonly main?: URL;
  readonly environment: Readonly<Record<string, string>>;
  readonly readable: readonly string[];
  readonly memoryMb: number;
  readonly longestLine: () => number;
  readonly receive: (message: unknown) => void;
  /** Called with each line that the process prints. */
  readonly printed: (text: string) => void;
  /** Called once, with the reason: `it ended with exit code 1`. */
  readonly ended: (why: string) => void;
  /** Starts the process. If absent, this process does. */
  readonly spawner?: Spawner | undefined;
}

/** A process for a plugin. Messages sent before it runs are queued until it does. */
export interface PluginProcess {
  /** 0 until it runs. */
  readonly pid: number;
  readonly channel: LineChannel;
  /** Ends the process immediately; `ended` is called with the reason. */
  kill(why: string): void;
}

const defaultMain = ownModule('plugins/host/isolation/child/main');

/** Windows cannot start a process without these. */
const systemVariables = process.platform === 'win32' ? ['SystemRoot', 'windir'] : [];

const withSystem = (environment: Readonly<Record<string, string>>): Record<string, string | undefined> => ({
  ...Object.fromEntries(systemVariables.map((name) => [name, process.env[name]])),
  ...environment,
});

/** Since Node 25, `--permission` also denies the network, which includes the channel. `holdNetwork` drops the permission again. */
const withChannel = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : [];

const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/** Starts a process that may read its own files, and cannot do anything else to the machine. */
export const startProcess = (options: StartProcessOptions): PluginProcess => {
  const { memoryMb, main = defaultMain, spawner = spawnHere } = options;
  let reason: string | undefined;
  let pid = 0;
  let stopWatching = (): void => {};
  let hasEnded = false;
  const kill = (why: string): void => {
    reason ??= why;
    killProcess();
  };
  const channel = createLineChannel({
    longestLine: options.longestLine,
    receive: options.receive,
    broken: kill,
  });
  const killProcess = spawner({
    args: [
      `--max-old-space-size=${memoryMb}`,
      '--permission',
      ...withChannel,
      ...options.readable.map((path) => `--allow-fs-read=${path}`),
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(main),
    ],
    environment: withSystem(options.environment),
    started: (started) => {
      pid = started.pid;
      stopWatching = watchMemory({
        pid,
        maxBytes: memoryMb * 1024 * 1024,
        exceeded: (bytes) => kill(`it used ${mebibytes(bytes)} MiB of memory, but its limit is ${memoryMb} MiB`),
      });
      passOutput(started.stdout, options.printed);
      passOutput(started.stderr, options.printed);
      channel.attach(started.wire);
    },
    ended: (why) => {
      if (hasEnded) return;
      hasEnded = true;
      stopWatching();
      options.ended(reason ?? why);
    },
  });
  return {
    get pid() {
      return pid;
    },
    channel,
    kill,
  };
};
