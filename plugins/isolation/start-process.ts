import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createLineChannel, type LineChannel } from './line-channel.ts';
import { passOutput } from './pass-output.ts';
import { watchMemory } from './watch-memory.ts';

export interface StartProcessOptions {
  /** The module that it runs; that of isolated plugins if absent. */
  readonly main?: URL;
  readonly environment: Readonly<Record<string, string>>;
  readonly readable: readonly string[];
  readonly memoryMb: number;
  readonly longestLine: () => number;
  readonly receive: (message: unknown) => void;
  /** A line that the process printed. */
  readonly printed: (text: string) => void;
  /** Called once, with why: `it ended with exit code 1`. */
  readonly ended: (why: string) => void;
}

/** A process for a plugin, which runs. */
export interface PluginProcess {
  readonly pid: number;
  readonly channel: LineChannel;
  /** Ends it at once; `ended` is called with the reason. */
  kill(why: string): void;
}

const running = new Set<() => void>();

/** A process in an endless loop does not see that the gateway has ended. */
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

/** A module beside another one, as a source or as what was built of it. */
export const besideModule = (path: string, url: string): URL =>
  new URL(`${path}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);

const usualMain = besideModule('./child/main', import.meta.url);

/** Windows starts no process without them. */
const systemVariables = process.platform === 'win32' ? ['SystemRoot', 'windir'] : [];

const withSystem = (environment: Readonly<Record<string, string>>): Record<string, string | undefined> => ({
  ...Object.fromEntries(systemVariables.map((name) => [name, process.env[name]])),
  ...environment,
});

const exitText = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;

/** Starts a process that may read its own files, and do nothing else to the machine. */
export const startProcess = (options: StartProcessOptions): PluginProcess => {
  const { memoryMb, main = usualMain } = options;
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${memoryMb}`,
      '--permission',
      ...options.readable.map((path) => `--allow-fs-read=${path}`),
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(main),
    ],
    { env: withSystem(options.environment), stdio: ['ignore', 'pipe', 'pipe', 'pipe'], windowsHide: true },
  );
  let reason: string | undefined;
  const kill = (why: string): void => {
    reason ??= why;
    child.kill('SIGKILL');
  };
  const untrack = track(() => child.kill('SIGKILL'));
  const { pid = 0 } = child;
  const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
  const stopWatching = watchMemory({
    pid,
    mostBytes: memoryMb * 1024 * 1024,
    exceeded: (bytes) => kill(`it used ${mebibytes(bytes)} MiB of memory, and ${memoryMb} MiB is the most`),
  });
  let hasEnded = false;
  const end = (why: string): void => {
    if (hasEnded) return;
    hasEnded = true;
    stopWatching();
    untrack();
    options.ended(reason ?? why);
  };
  child.once('error', (error) => end(`it cannot be started: ${error.message}`));
  child.once('exit', (code, signal) => end(exitText(code, signal)));
  const [, stdout, stderr, wire] = child.stdio;
  for (const output of [stdout, stderr]) if (output instanceof Socket) passOutput(output, options.printed);
  if (!(wire instanceof Socket)) throw new TypeError('The process has no channel.');
  const channel = createLineChannel({
    stream: wire,
    longestLine: options.longestLine,
    receive: options.receive,
    broken: kill,
  });
  // What runs for a gateway does not keep it running.
  child.unref();
  for (const each of child.stdio) if (each instanceof Socket) each.unref();
  return { pid, channel, kill };
};
