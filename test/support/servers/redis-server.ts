import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { temporaryFolder } from '../commands/temporary-folder.ts';
import { freePort } from './free-port.ts';

/** Whether tests can start a Redis server: `apt-get install -y --no-install-recommends redis-server`. */
export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis server in a separate process. */
export interface RedisServer {
  readonly url: string;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Kills it, as if its machine had failed. */
  kill(): Promise<void>;
  /** Starts it again on the same port. It is empty unless it is durable. */
  restart(): Promise<void>;
  /** Stops it for good. */
  stop(): Promise<void>;
}

const start = (port: number, persistence: readonly string[]): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...persistence];
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${printed}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Ready to accept connections')) resolve(child);
    });
  });

/** Starts a Redis server. A durable one writes to disk before it answers, and a volatile one keeps nothing. */
export const startRedis = async (
  kind: 'volatile' | 'durable' = 'volatile',
  settings: readonly string[] = [],
): Promise<RedisServer> => {
  const port = await freePort();
  const persistence =
    kind === 'volatile'
      ? ['--appendonly', 'no']
      : ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', temporaryFolder({})];
  let child: ChildProcess | undefined = await start(port, [...persistence, ...settings]);
  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    signal: (name) => void child?.kill(name),
    kill,
    async restart() {
      await kill();
      child = await start(port, [...persistence, ...settings]);
    },
    stop: kill,
  };
};
