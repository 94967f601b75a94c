import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';

interface Ended {
  /** Null if it had to be killed. */
  readonly code: number | null;
  readonly printed: string;
}

const serve = (folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [installedGw, 'serve', '--port', '0', ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stdout.on('data', (text) => (printed += text));
    child.stderr.on('data', (text) => (printed += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, printed });
    });
  });

const pipe = (file: string): void => {
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
};
const gatewayFile = (folder: string, value: object): void =>
  writeFileSync(path.join(folder, 'gateway.json'), JSON.stringify(value));
const keyed = (...refs: readonly string[]): object => ({
  auth: { keys: refs.map((key, at) => ({ id: `team-${at}`, key })) },
});
const configs = (folder: string, prepare: (file: string) => void): void => {
  mkdirSync(path.join(folder, 'configs'));
  gatewayFile(folder, { configs: 'configs', default_config: 'a' });
  prepare(path.join(folder, 'configs', 'a.json'));
};

interface WrongStart {
  readonly name: string;
  readonly prepare?: (folder: string) => void;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The pattern of its only message. */
  readonly says: RegExp;
}

const store = ['--store', 'gateway.db'];

const wrongStarts: readonly WrongStart[] = [
  {
    name: 'a gateway file that is a pipe',
    prepare: (folder) => pipe(path.join(folder, 'gateway.json')),
    says: /gateway\.json cannot be read\. It is a pipe or a device\./,
  },
  { name: 'a gateway file that is a device', args: ['--config', '/dev/zero'], says: /It is a pipe or a device\./ },
  {
    name: 'a config that is a pipe',
    prepare: (folder) => configs(folder, pipe),
    says: /It is a pipe or a device\./,
  },
  {
    name: 'a config that is a link to a pipe',
    prepare: (folder) =>
      configs(folder, (file) => {
        pipe(path.join(folder, 'pipe'));
        symlinkSync(path.join(folder, 'pipe'), file);
      }),
    says: /It is a pipe or a device\./,
  },
  {
    name: 'a config that is a link to a device',
    prepare: (folder) => configs(folder, (file) => symlinkSync('/dev/zero', file)),
    says: /It is a pipe or a device\./,
  },
  {
    name: 'a service key in a device',
    prepare: (folder) => gatewayFile(folder, keyed('${file:/dev/zero}')),
    says: /no value: "team-0" \(\$\{file:\/dev\/zero\}\)/,
  },
  {
    name: 'a service key in a pipe',
    prepare: (folder) => {
      pipe(path.join(folder, 'key'));
      gatewayFile(folder, keyed(`\${file:${folder}/key}`));
    },
    says: /no value: "team-0"/,
  },
  {
    name: 'one service key for two tenants',
    prepare: (folder) => gatewayFile(folder, keyed('${env:TEAM_KEY}', '${env:TEAM_KEY}')),
    env: { TEAM_KEY: 'the-key-of-both-teams' },
    says: /"team-0" and "team-1" have the same value/,
  },
  {
    name: 'a store that is a link to itself',
    prepare: (folder) => symlinkSync('gateway.db', path.join(folder, 'gateway.db')),
    args: store,
    says: /gateway\.db is a symbolic link that refers to itself\. Correct the link\./,
  },
  {
    name: 'a store with U+0000 in its name',
    prepare: (folder) => gatewayFile(folder, { store: { url: 'gate\0way.db' } }),
    says: /the character U\+0000 in its name/,
  },
  {
    name: 'configs with U+0000 in their name',
    prepare: (folder) => gatewayFile(folder, { configs: 'con\0figs' }),
    says: /contains the character U\+0000/,
  },
  {
    name: 'a folder in place of the file for the first admin key',
    prepare: (folder) => mkdirSync(path.join(folder, 'gateway.db.admin-key')),
    args: store,
    says: /could not be written to \S+gateway\.db\.admin-key.*gw keys create --admin/,
  },
];

describe.concurrent('gw serve, started with', () => {
  it.for(wrongStarts)(
    '$name, exits with code 1 and a clear message',
    async ({ prepare, args = [], env, says }, { onTestFinished }) => {
      const folder = temporaryFolder({}, onTestFinished);
      prepare?.(folder);
      const { code, printed } = await serve(folder, args, env);
      expect(printed).toMatch(says);
      expect(printed).not.toMatch(/^\s+at |A promise was rejected/m);
      expect(code).toBe(1);
    },
  );
});

it('writes the first admin key only to a file that others cannot read, whatever was in its place', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'gateway.db.admin-key');
  const elsewhere = path.join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'kept');
  chmodSync(elsewhere, 0o666);
  symlinkSync(elsewhere, file);
  const gateway = await startGateway({ folder, args: store, unset: ['GW_ADMIN_KEY'] });
  try {
    expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^gw-/);
    expect(existsSync(`${file}.tmp`)).toBe(false);
  } finally {
    await gateway.stop();
  }
});
