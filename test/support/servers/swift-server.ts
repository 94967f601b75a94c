import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const programs = '/usr/bin';

const servers = ['account', 'container', 'object', 'proxy'];

/** Whether OpenStack Swift is installed from Debian's packages, with its configuration in `/etc/swift`. */
export const hasSwift: boolean =
  existsSync('/etc/swift/swift.conf') &&
  servers.every((kind) => existsSync(path.join(programs, `swift-${kind}-server`)));

/** Swift, which supports S3 and verifies signatures. */
export interface SwiftServer {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Suspends the server that clients call. `thaw` resumes it. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const section = (name: string, settings: Readonly<Record<string, string | number | boolean>>): string =>
  [`[${name}]`, ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`), ''].join('\n');

const filters = {
  cache: { use: 'egg:swift#memcache', memcache_servers: '127.0.0.1:1' },
  s3api: { use: 'egg:swift#s3api', location: 'us-east-1' },
  tempauth: { use: 'egg:swift#tempauth', user_test_tester: 'testing .admin' },
  bulk: { use: 'egg:swift#bulk' },
  slo: { use: 'egg:swift#slo' },
  dlo: { use: 'egg:swift#dlo' },
};

/** Whether a server is up: the one that clients call must answer 200, and those behind it may answer any status. */
const isUp = async (endpoint: string, isBehind = false): Promise<boolean> => {
  try {
    const { ok } = await fetch(`${endpoint}/info`, { signal: AbortSignal.timeout(1_000) });
    return ok || isBehind;
  } catch {
    return false;
  }
};

/**
 * In seconds, and errors: on a busy machine, the servers behind the first need longer than usual, and must not be excluded for
 * that.
 */
const patience = { conn_timeout: 10, node_timeout: 30, error_suppression_limit: 1000 };

/**
 * Writes the ring of one device for each file and port in its arguments, like three calls of `swift-ring-builder` for each,
 * because most of their time is Python's start.
 */
const writeRings = `
import sys
from swift.common.ring import RingBuilder
for file, port in zip(sys.argv[1::2], sys.argv[2::2]):
    place = {'ip': '127.0.0.1', 'port': int(port), 'replication_ip': '127.0.0.1', 'replication_port': int(port)}
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'device': 'd1', 'weight': 1.0, 'meta': '', **place})
    builder.rebalance()
    builder.get_ring().save(file)
`;

/** Starts Swift with one copy of everything and its objects in memory. */
export const startSwift = async (): Promise<SwiftServer> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-swift-'));
  mkdirSync(path.join(folder, 'devices', 'd1'), { recursive: true });
  const usual = { bind_ip: '127.0.0.1', workers: 0, user: userInfo().username, swift_dir: folder };
  const children: ChildProcess[] = [];

  const start = (kind: string, port: number, sections: readonly string[]): ChildProcess => {
    const file = path.join(folder, `${kind}.conf`);
    const devices = { devices: path.join(folder, 'devices'), mount_check: false };
    writeFileSync(file, [section('DEFAULT', { ...usual, ...devices, bind_port: port }), ...sections].join('\n'));
    const child = spawn(path.join(programs, `swift-${kind}-server`), [file], { stdio: 'ignore' });
    children.push(child);
    return child;
  };

  /** The ports that the proxy server calls. */
  const behind: number[] = [];
  const kinds = [['account'], ['container'], ['object', 'mem_object']] as const;
  for (const _ of kinds) behind.push(await freePort());
  const rings = kinds.flatMap(([kind], at) => [path.join(folder, `${kind}.ring.gz`), String(behind[at])]);
  execFileSync('/usr/bin/python3', ['-c', writeRings, ...rings]);
  for (const [at, [kind, app]] of kinds.entries()) {
    const port = behind[at] ?? 0;
    start(kind, port, [
      section('pipeline:main', { pipeline: `${kind}-server` }),
      section(`app:${kind}-server`, { use: `egg:swift#${app ?? kind}` }),
    ]);
  }
  const port = await freePort();
  const proxy = start('proxy', port, [
    section('pipeline:main', { pipeline: `${Object.keys(filters).join(' ')} proxy-server` }),
    section('app:proxy-server', { use: 'egg:swift#proxy', account_autocreate: true, ...patience }),
    ...Object.entries(filters).map(([name, settings]) => section(`filter:${name}`, settings)),
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  for (const each of behind) while (!(await isUp(`http://127.0.0.1:${each}`, true))) await setTimeout(100);
  while (!(await isUp(endpoint))) await setTimeout(100);
  return {
    endpoint,
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
    freeze: () => void proxy.kill('SIGSTOP'),
    thaw: () => void proxy.kill('SIGCONT'),
    async stop() {
      const ended = children.map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
