import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../../support/commands/clean-environment.ts';
import { type CommandProcess, startCommands } from '../../support/commands/command-process.ts';
import { runCommand } from '../../support/commands/run-command.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { type GatewayProcess, type GatewayStart, startGateway } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const start = async (options: GatewayStart & { readonly folder: string }): Promise<GatewayProcess> => {
  const gateway = await startGateway({ args: ['--store', 'gateway.db'], unset: ['GW_ADMIN_KEY'], ...options });
  onTestFinished(() => gateway.stop());
  return gateway;
};

const ask = async ({ baseUrl }: GatewayProcess, headers: Record<string, string>): Promise<number> => {
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-provider': 'echo', ...headers },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
  await answer.text();
  return answer.status;
};

const stopped = async (gateway: GatewayProcess): Promise<number> => {
  gateway.signal('SIGTERM');
  return gateway.exited;
};

/** Runs the starts that fail. */
let commands: CommandProcess;
beforeAll(() => {
  commands = startCommands();
});
afterAll(() => commands.stop());

/** Returns the message of a start that fails in a folder. */
const refusal = async (
  folder: string,
  { args = ['--store', 'gateway.db'], env = {} }: Pick<GatewayStart, 'args' | 'env'> = {},
): Promise<string> => {
  const argv = ['serve', '--port', '0', ...args];
  const { status, stdout, stderr } = await commands.run({ argv, cwd: folder, env: { ...cleanEnvironment(), ...env } });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).not.toMatch(/\n {4}at /);
  return stderr;
};

const toMode = (file: string): number => statSync(file).mode & 0o777;
const chosen = 'a-key-of-my-own-with-40-characters-in-it';

describe('gw serve --store at its first start', () => {
  it('writes an admin key to a file that only its owner can read, prints the path, and never creates another', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'gateway.db.admin-key');
    const gateway = await start({ folder });
    const key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(/^gw-/);
    expect(gateway.printed()).toContain(file);
    expect(gateway.printed()).not.toContain(key);
    expect(['', '.key', '.admin-key'].map((ending) => toMode(path.join(folder, `gateway.db${ending}`)))).toEqual([
      0o600, 0o600, 0o600,
    ]);
    expect(await ask(gateway, { 'x-gw-api-key': key })).toBe(200);
    expect(await ask(gateway, { authorization: `Bearer ${key}` })).toBe(200);
    expect(await ask(gateway, {})).toBe(401);
    expect(await ask(gateway, { 'x-gw-api-key': `${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}` })).toBe(401);

    // Later starts create no other key. With a key that the store does not accept, they name the command that creates one.
    writeFileSync(file, '');
    expect(await stopped(gateway)).toBe(0);
    const second = await start({ folder });
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(await ask(second, { 'x-gw-api-key': key })).toBe(200);
    expect(await stopped(second)).toBe(0);
    const about =
      'GW_ADMIN_KEY is not one that it accepts, and is not used. If the admin key is lost, gw keys create --admin';
    const third = await start({ folder, unset: [], env: { GW_ADMIN_KEY: chosen } });
    expect(third.printed()).toContain(`The store already has an admin key, which was written to ${file}. ${about}`);
    rmSync(file);
    expect(await stopped(third)).toBe(0);
    const fourth = await start({ folder, unset: [], env: { GW_ADMIN_KEY: chosen } });
    expect(fourth.printed()).toContain(`The store already has an admin key. ${about}`);
  });

  it('uses the key of GW_ADMIN_KEY, and neither prints nor writes it', async () => {
    const folder = temporaryFolder();
    const gateway = await start({ folder, unset: [], env: { GW_ADMIN_KEY: chosen } });
    expect(gateway.printed()).toContain(
      'Set GW_API_KEY to the admin key of the store, or to a key from gw keys create.',
    );
    expect(await ask(gateway, { 'x-gw-api-key': chosen })).toBe(200);
    expect(gateway.printed()).not.toContain(chosen);
    expect(existsSync(path.join(folder, 'gateway.db.admin-key'))).toBe(false);
    expect(await stopped(gateway)).toBe(0);
    for (const ending of ['', '-wal'])
      if (existsSync(path.join(folder, `gateway.db${ending}`)))
        expect(readFileSync(path.join(folder, `gateway.db${ending}`), 'latin1')).not.toContain(chosen);
  });

  it('uses the store in the gateway file, relative to that file, and no other process can serve it meanwhile', async () => {
    const folder = temporaryFolder();
    const gateway = await start({ folder, args: [], files: { 'gateway.json': { store: { url: 'here.db' } } } });
    expect(existsSync(path.join(folder, 'here.db'))).toBe(true);
    expect(await ask(gateway, {})).toBe(401);
    expect(await refusal(folder, { args: ['--store', 'here.db'] })).toContain('here.db is served by another process');
  });
});

describe('a PostgreSQL without a master key', () => {
  it.skipIf(postgresFolder() === undefined)('saves no credential, and explains what to do', async () => {
    const server = await startPostgres(postgresFolder() ?? '');
    onTestFinished(() => server.stop());
    const options = { args: ['--store', server.url], unset: ['GW_MASTER_KEY'], env: { GW_ADMIN_KEY: chosen } };
    const gateway = await start({ folder: temporaryFolder(), ...options });
    const save = async (credential: object): Promise<{ readonly status: number; readonly text: string }> => {
      const answer = await fetch(`${gateway.baseUrl}/providers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-api-key': chosen },
        body: JSON.stringify({ name: 'p', ...credential }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await save({ provider: 'echo' })).status).toBe(200);
    const refused = await save({ provider: 'openai', credential: { api_key: 'sk-secret' } });
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('GW_MASTER_KEY');
    expect(await ask(gateway, { 'x-gw-api-key': chosen })).toBe(200);
    await server.stop();
    expect((await save({ provider: 'echo' })).status).toBe(503);
    expect(await ask(gateway, { 'x-gw-api-key': chosen })).toBe(200);
    expect(gateway.printed()).not.toContain('sk-secret');
  });
});

describe('a PostgreSQL database', () => {
  it.skipIf(postgresFolder() === undefined)(
    'is refused, and stays empty, if it is empty and its encoding is not UTF8',
    async () => {
      const server = await startPostgres(postgresFolder() ?? '');
      onTestFinished(() => server.stop());
      const client = new pg.Client(server.url);
      await client.connect();
      for (const encoding of ['LATIN1', 'SQL_ASCII']) {
        await client.query(`create database ${encoding} encoding '${encoding}' locale 'C' template template0`);
        const url = Object.assign(new URL(server.url), { pathname: `/${encoding.toLowerCase()}` }).href;
        const said = await refusal(temporaryFolder(), { args: ['--store', url] });
        expect(said).toMatch(
          new RegExp(
            `^gw: The tables of the store \\S+ cannot be created: The database has the encoding ${encoding}, .* ENCODING 'UTF8' TEMPLATE template0, `,
          ),
        );
        const database = new pg.Client(url);
        await database.connect();
        expect((await database.query('select from pg_tables where schemaname = current_schema()')).rowCount).toBe(0);
        await database.end();
      }
      await client.end();
    },
  );

  it.skipIf(postgresFolder() === undefined)(
    'is refused if its search_path names no schema, and served with a notice if it has a store and another encoding',
    async () => {
      const server = await startPostgres(postgresFolder() ?? '');
      onTestFinished(() => server.stop());
      const client = new pg.Client(server.url);
      await client.connect();
      onTestFinished(() => client.end());
      await client.query("create database moved encoding 'UTF8' locale 'C' template template0");
      const url = Object.assign(new URL(server.url), { pathname: '/moved' }).href;
      await client.query('alter database moved set search_path to nowhere');
      expect(await refusal(temporaryFolder(), { args: ['--store', url] })).toMatch(
        /^gw: The tables of the store \S+ cannot be created: The search_path of the user names no schema .* alter database NAME set /,
      );
      await client.query('alter database moved reset search_path');
      const inMoved = () => start({ folder: temporaryFolder(), args: ['--store', url] });
      const first = await inMoved();
      await first.stop();
      expect(first.printed()).not.toContain('encoding');
      await client.query("update pg_database set encoding = pg_char_to_encoding('LATIN1') where datname = 'moved'");
      const second = await inMoved();
      await second.stop();
      expect(second.printed()).toMatch(
        /gw: The store \S+: The database has the encoding LATIN1, and a store needs UTF8: .*, stop the gateways, copy the store /,
      );
    },
  );
});

const masterKey = (byte: number) => ({ GW_MASTER_KEY: Buffer.alloc(32, byte).toString('base64') });

describe('gw serve --store does not start', () => {
  it.each<[string, Pick<GatewayStart, 'args' | 'env'>, string]>([
    ['with a key that is easy to guess', { env: { GW_ADMIN_KEY: 'secret' } }, 'GW_ADMIN_KEY has 6 characters'],
    ['with an invalid master key', { env: { GW_MASTER_KEY: 'short' } }, 'GW_MASTER_KEY'],
    ['in a folder that does not exist', { args: ['--store', 'nowhere/gateway.db'] }, 'nowhere'],
    ['if its path is a folder', { args: ['--store', '.'] }, 'is a folder, and a store is a file. Name a file in it'],
    ['in an unsupported kind of database', { args: ['--store', 'mysql://localhost/x'] }, 'cannot be kept in mysql'],
    [
      'on a PostgreSQL that is unavailable',
      { args: ['--store', 'postgres://me:hunter2@127.0.0.1:1/x'] },
      'postgres://127.0.0.1:1/x',
    ],
  ])('%s', async (_, options, text) => {
    const said = await refusal(temporaryFolder(), options);
    expect(said).toContain(text);
    expect(said).not.toContain('hunter2');
  });

  describe('with a store that was served before', () => {
    /** The folders of a store with its own key beside it, and of one that is sealed with a given key. */
    let [ownKey, givenKey] = ['', ''];
    beforeAll(async () => {
      const made = async (env: Readonly<Record<string, string>>): Promise<string> => {
        const folder = mkdtempSync(path.join(tmpdir(), 'gw-store-'));
        const gateway = await startGateway({ folder, args: ['--store', 'gateway.db'], unset: ['GW_ADMIN_KEY'], env });
        expect(await stopped(gateway)).toBe(0);
        return folder;
      };
      [ownKey, givenKey] = await Promise.all([made({}), made(masterKey(7))]);
    });
    afterAll(() => {
      for (const folder of [ownKey, givenKey]) rmSync(folder, { recursive: true });
    });

    const copied = (folder: string): string => {
      const copy = temporaryFolder();
      cpSync(folder, copy, { recursive: true });
      return copy;
    };

    it('and another master key', async () => {
      const folder = copied(ownKey);
      const said = await refusal(folder, { env: masterKey(7) });
      expect(said).toContain('sealed with a different master key from the one that is given');
      expect(said).toContain(`is the one in ${path.join(folder, 'gateway.db.key')}: set neither if the store`);
    });

    it('and another master key than before, if there never was a key file', async () => {
      const folder = copied(givenKey);
      const said = await refusal(folder, { env: masterKey(8) });
      expect(said).toContain('sealed with a different master key from the one that is given: set GW_MASTER_KEY');
      expect(said).toContain(`is the one in ${path.join(folder, 'gateway.db.key')}, which is not there.`);
      expect(said).not.toMatch(/restore that file/);
    });

    it('and a disk without room for the files beside it', async () => {
      const folder = copied(ownKey);
      const serve = [process.execPath, installedGw, 'serve', '--store', 'gateway.db', '--port', '0'];
      // No file may be larger than a kilobyte.
      const { status, stderr } = await runCommand(['bash', '-c', 'ulimit -f 1; exec "$@"', 'bash', ...serve], {
        cwd: folder,
      });
      const file = path.join(folder, 'gateway.db');
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: `gw: The file ${file} cannot grow: the disk is full. Make room.\n`,
      });
    });

    it.each(['', '-wal'])('that was emptied beside its key%s, and leaves it unchanged', async (beside) => {
      const folder = copied(ownKey);
      const file = path.join(folder, 'gateway.db');
      writeFileSync(file, '');
      if (beside !== '') writeFileSync(`${file}${beside}`, '');
      const said = await refusal(folder);
      expect(said).toContain(`The store ${file} is an empty file, but its key ${file}.key exists`);
      expect(said).toContain('Restore a backup of the store.');
      expect(statSync(file).size).toBe(0);
    });

    it.each([
      ['lost', (file: string) => rmSync(file), 'which is not there'],
      [
        'a different one',
        (file: string) => writeFileSync(file, Buffer.alloc(32, 7).toString('base64')),
        'which has another key',
      ],
    ])('whose own key is %s: it names the key file, and creates none', async (_, lose, text) => {
      const folder = copied(ownKey);
      const file = path.join(folder, 'gateway.db.key');
      const key = readFileSync(file, 'utf8');
      lose(file);
      expect(await refusal(folder)).toContain(`${file}, ${text}: restore that file`);
      if (text.includes('not there')) {
        const rotation = await runGw(folder, ['keys', 'rotate-master', '--store', 'gateway.db']);
        expect([rotation.code, rotation.err]).toEqual([2, expect.stringContaining(file)]);
        expect(existsSync(file)).toBe(false);
      }
      writeFileSync(file, key, { mode: 0o600 });
      expect(await stopped(await start({ folder }))).toBe(0);
    });

    it('without the master key that seals it, and creates none', async () => {
      const folder = copied(givenKey);
      const said = await refusal(folder);
      expect(said).toContain('sealed with a master key, and none is given: set GW_MASTER_KEY');
      expect(readdirSync(folder).filter((name) => name.includes('.key'))).toEqual([]);
      expect(await stopped(await start({ folder, env: masterKey(7) }))).toBe(0);
    });
  });
});
