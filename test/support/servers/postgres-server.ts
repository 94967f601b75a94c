import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../tools/build/package-modules.ts';
import { freePort } from './free-port.ts';

const packages = '/usr/lib/postgresql';

/** Returns the folder of PostgreSQL's programs, as Debian installs them, or undefined if it is not installed. */
export const postgresFolder = (): string | undefined => {
  if (!existsSync(packages)) return undefined;
  const folders = readdirSync(packages).map((version) => path.join(packages, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')));
};

/** PostgreSQL refuses to run as root. In that case, it runs as the user that its package creates. */
const serverUser = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};

export interface PostgresServer {
  readonly url: string;
  /** The folder of its data. */
  readonly folder: string;
  /** Everything that it has written to its log so far. */
  printed(): string;
  /** Stops it and keeps its data. */
  end(): Promise<void>;
  /** Suspends all of its processes, like those of a machine that hangs. `thaw` resumes them. */
  freeze(): void;
  thaw(): void;
  /** Stops it immediately, without notifying its clients (SIGQUIT). After `start`, everything that it has committed is there. */
  crash(): Promise<void>;
  /** Starts it again, on the same port and with the same data. */
  start(): Promise<void>;
  /** Stops it and starts it again as a standby, which only accepts reads until `pg_promote`. */
  demote(): Promise<void>;
  /** Stops it, whatever its state, and removes its data. */
  stop(): Promise<void>;
}

/** Waits until it accepts connections, and passes on everything that it prints. */
const ready = (server: ChildProcess, print: (text: string) => void): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    let printed = '';
    server.stderr?.on('data', (part) => {
      print(String(part));
      printed += part;
      if (/ready to accept (?:read-only )?connections/.test(printed)) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${printed}`)));
  });

const toParent = (pid: string): number => {
  try {
    // The program's name, in parentheses, may contain spaces.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return Number.NaN;
  }
};

/** Each process that serves a connection leads its own process group, so they are found by their parent. */
const listChildren = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && toParent(name) === pid)
    .map(Number);

const signalled = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

const initial = ['-U', 'gateway', '--auth=trust', '--no-sync'];

/** The data of an empty server, which is created once, because a copy takes a tenth of the processor time. */
const emptyData = (folder: string, user: { readonly uid?: number; readonly gid?: number }): string => {
  // Other versions or options use a different folder.
  const name = [...path.relative(packages, folder).split(path.sep), ...initial].join('-').replaceAll(/[^\w.]+/g, '-');
  const kept = path.join(root, 'node_modules/.cache/gatewright-tests', `postgres-${name}`);
  if (existsSync(kept)) return kept;
  const data = mkdtempSync(path.join(tmpdir(), 'gw-postgres-'));
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid ?? user.uid);
  execFileSync(path.join(folder, 'initdb'), ['-D', data, ...initial], { ...user, cwd: data, stdio: 'pipe' });
  const made = `${kept}-${process.pid}`;
  mkdirSync(path.dirname(made), { recursive: true });
  execFileSync('cp', ['-a', data, made]);
  rmSync(data, { recursive: true, force: true });
  try {
    renameSync(made, kept);
  } catch {
    // Another process was faster.
    rmSync(made, { recursive: true, force: true });
  }
  return kept;
};

/** Starts an empty PostgreSQL server on a free loopback port, with settings such as `max_connections=20`. */
export const startPostgres = async (folder: string, settings: readonly string[] = []): Promise<PostgresServer> => {
  const user = serverUser();
  const data = mkdtempSync(path.join(tmpdir(), 'gw-postgres-'));
  const run = { ...user, cwd: data, stdio: 'pipe' } as const;
  execFileSync('cp', ['-a', `${emptyData(folder, user)}/.`, data]);
  const port = await freePort();
  const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-F'];
  const launch = (): ChildProcess =>
    spawn(path.join(folder, 'postgres'), [...options, ...settings.flatMap((each) => ['-c', each])], run);
  let server = launch();
  let printed = '';
  const begun = (): Promise<void> =>
    ready(server, (text) => {
      printed += text;
    });
  await begun();

  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
    const { pid = 0, exitCode } = server;
    if (exitCode !== null) return;
    // A stopped process starts no others.
    if (signal === 'SIGSTOP') signalled(pid, signal);
    for (const child of listChildren(pid)) signalled(child, signal);
    if (signal === 'SIGCONT') signalled(pid, signal);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    signalAll('SIGCONT');
    server.kill(signal);
    await exited;
  };
  return {
    url: `postgres://gateway@127.0.0.1:${port}/postgres`,
    folder: data,
    printed: () => printed,
    end: () => end('SIGINT'),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    crash: () => end('SIGQUIT'),
    async start() {
      server = launch();
      await begun();
    },
    async demote() {
      await end('SIGINT');
      writeFileSync(path.join(data, 'standby.signal'), '');
      if (user.uid !== undefined) chownSync(path.join(data, 'standby.signal'), user.uid, user.gid ?? user.uid);
      server = launch();
      await begun();
    },
    async stop() {
      await end('SIGINT');
      rmSync(data, { recursive: true, force: true });
    },
  };
};
