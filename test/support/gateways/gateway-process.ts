import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installedGw } from './installed-gateway.ts';

export interface GatewayStart {
  /** Files in its working folder, by path: JSON values, or texts as they are. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Environment variables to remove, such as `GW_TRUSTED_HOSTS`. */
  readonly unset?: readonly string[];
  /** The program and first arguments of a different `gw` than the one built from the sources. */
  readonly command?: readonly [string, ...string[]];
  /** Whether its shut-down waits for load balancers to notice, as it does outside a terminal. */
  readonly drainDelay?: boolean;
  /** An existing folder to run in, which is kept, instead of a new one. */
  readonly folder?: string;
}

/** A gateway in a separate process, as an operator runs it. */
export interface GatewayProcess {
  /** `http://127.0.0.1:port`, or `https://…` with a certificate. */
  readonly origin: string;
  /** Includes `/v1`, as clients expect. */
  readonly baseUrl: string;
  readonly folder: string;
  readonly pid: number;
  /** Everything that it has printed so far. */
  printed(): string;
  /** The printed lines that are JSON objects. */
  records(): readonly Record<string, unknown>[];
  signal(name: NodeJS.Signals): void;
  /** Stops or resumes reading its output. */
  read(isRead: boolean): void;
  /** Its exit code, once it has ended. -1 after a signal that it did not handle. */
  readonly exited: Promise<number>;
  /** Stops it if it is still running, and removes its folder. */
  stop(): Promise<void>;
}

/** Writes files into a folder, by default a new one. */
export const writeFolder = (
  files: Readonly<Record<string, unknown>>,
  folder: string = mkdtempSync(path.join(tmpdir(), 'gw-test-')),
): string => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
};

const listening = (child: ChildProcess, printed: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      // Matches only this address, because an error in the gateway file prints the lines around it.
      const origin = /listens on (https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+)/.exec(printed())?.[1];
      if (origin !== undefined) resolve(origin);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code} before it listened:\n${printed()}`)));
  });

/** Starts `gw serve` on a free port and waits until it listens. Loopback is trusted, as with `npm start`. */
export const startGateway = async ({
  files = {},
  args = [],
  env = {},
  unset = [],
  command,
  drainDelay = false,
  folder: given,
}: GatewayStart = {}): Promise<GatewayProcess> => {
  const folder = writeFolder(files, given);
  const [program, ...first] = command ?? [process.execPath, installedGw];
  const config = 'gateway.json' in files ? ['--config', 'gateway.json'] : [];
  const delay = drainDelay ? [] : ['--drain-delay-ms', '0'];
  const variables = { ...process.env, GW_TRUSTED_HOSTS: '127.0.0.1,localhost', ...env };
  const child = spawn(program, [...first, 'serve', '--port', '0', ...config, ...delay, ...args], {
    cwd: folder,
    env: { ...variables, ...Object.fromEntries(unset.map((name) => [name, undefined])) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  child.stderr.on('data', (part) => {
    text += part;
  });
  const exited = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  const origin = await listening(child, () => text);
  return {
    origin,
    baseUrl: `${origin}/v1`,
    folder,
    pid: child.pid ?? 0,
    printed: () => text,
    // The text after the last line break is not a complete line yet.
    records: () =>
      text
        .split('\n')
        .slice(0, -1)
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    signal: (name) => void child.kill(name),
    read: (isRead) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (isRead) stream.resume();
        else stream.pause();
      }
    },
    exited,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
};
