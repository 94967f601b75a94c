import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const packages = '/usr/lib/postgresql';

/** The folder of PostgreSQL's programs, as Debian installs them; undefined if it is not installed. */
export const postgresFolder = (): string | undefined => {
  if (!existsSync(packages)) return undefined;
  const folders = readdirSync(packages).map((version) => path.join(packages, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')));
};

/** PostgreSQL refuses to run as root: then it runs as the user that its package makes. */
const serverUser = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an empty PostgreSQL on a free port of loopback. */
export const startPostgres = async (folder: string): Promise<PostgresServer> => {
  const user = serverUser();
  const data = mkdtempSync(path.join(tmpdir(), 'gw-postgres-'));
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid ?? user.uid);
  const run = { ...user, cwd: data, stdio: 'pipe' } as const;
  execFileSync(path.join(folder, 'initdb'), ['-D', data, '-U', 'gateway', '--auth=trust', '--no-sync'], run);
  const port = await freePort();
  const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-F'];
  const server = spawn(path.join(folder, 'postgres'), options, run);
  const exited = once(server, 'exit');
  await new Promise<void>((resolve, reject) => {
    let printed = '';
    server.stderr.on('data', (part) => {
      printed += part;
      if (printed.includes('ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${printed}`)));
  });
  return {
    url: `postgres://gateway@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGINT');
      await exited;
      rmSync(data, { recursive: true, force: true });
    },
  };
};
