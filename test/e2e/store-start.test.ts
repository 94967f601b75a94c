import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type GatewayProcess, type GatewayStart, startGateway } from '../support/gateway-process.ts';
import { postgresFolder, startPostgres } from '../support/postgres-server.ts';
import { runGw } from '../support/run-gw.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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

const toMode = (file: string): number => statSync(file).mode & 0o777;
const chosen = 'a-key-of-my-own-with-40-characters-in-it';

it('gw serve --store with an admin key that the store does not accept names the command that makes another one', async () => {
  const folder = temporaryFolder();
  expect(await stopped(await start({ folder }))).toBe(0);
  const gateway = await start({ folder, unset: [], env: { GW_ADMIN_KEY: chosen } });
  const about =
    'GW_ADMIN_KEY is not one that it accepts, and is not used. If the admin key is lost, gw keys create --admin';
  const file = path.join(folder, 'gateway.db.admin-key');
  expect(gateway.printed()).toContain(`The store has an admin key already, which was written to ${file}. ${about}`);
  rmSync(file);
  expect(await stopped(gateway)).toBe(0);
  const other = await start({ folder, unset: [], env: { GW_ADMIN_KEY: chosen } });
  expect(other.printed()).toContain(`The store has an admin key already. ${about}`);
});

describe('gw serve --store, at its first start', () => {
  it('puts an admin key into a file that only its owner can read, and prints where it is', async () => {
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
  });

  it('makes no other key later', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'gateway.db.admin-key');
    const first = await start({ folder });
    const key = readFileSync(file, 'utf8').trim();
    writeFileSync(file, '');
    expect(await stopped(first)).toBe(0);
    const second = await start({ folder });
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(await ask(second, { 'x-gw-api-key': key })).toBe(200);
  });

  it('takes the key of GW_ADMIN_KEY, and prints and writes nothing of it', async () => {
    const folder = temporaryFolder();
    const gateway = await start({ folder, unset: [], env: { GW_ADMIN_KEY: chosen } });
    expect(gateway.printed()).toContain('GW_API_KEY is the admin key of the store, or a key that gw keys create made.');
    expect(await ask(gateway, { 'x-gw-api-key': chosen })).toBe(200);
    expect(gateway.printed()).not.toContain(chosen);
    expect(existsSync(path.join(folder, 'gateway.db.admin-key'))).toBe(false);
    expect(await stopped(gateway)).toBe(0);
    for (const ending of ['', '-wal'])
      if (existsSync(path.join(folder, `gateway.db${ending}`)))
        expect(readFileSync(path.join(folder, `gateway.db${ending}`), 'latin1')).not.toContain(chosen);
  });

  it('is named by the gateway file too, beside which it is', async () => {
    const folder = temporaryFolder();
    const gateway = await start({ folder, args: [], files: { 'gateway.json': { store: { url: 'here.db' } } } });
    expect(existsSync(path.join(folder, 'here.db'))).toBe(true);
    expect(await ask(gateway, {})).toBe(401);
  });
});

describe('a PostgreSQL without a master key', () => {
  it.skipIf(postgresFolder() === undefined)('saves no credential, and says what to do', async () => {
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

describe('gw serve --store does not start', () => {
  it.each<[string, GatewayStart, string]>([
    [
      'with a key that is easy to guess',
      { unset: [], env: { GW_ADMIN_KEY: 'secret' } },
      'GW_ADMIN_KEY has 6 characters',
    ],
    ['with a master key that is none', { env: { GW_MASTER_KEY: 'short' } }, 'GW_MASTER_KEY'],
    ['in a folder that is not there', { args: ['--store', 'nowhere/gateway.db'] }, 'nowhere'],
    ['in a folder itself', { args: ['--store', '.'] }, 'is a folder, and a store is a file. Name a file in it'],
    ['in a database of another kind', { args: ['--store', 'mysql://localhost/x'] }, 'cannot be kept in mysql'],
    [
      'on a PostgreSQL that is not there',
      { args: ['--store', 'postgres://me:hunter2@127.0.0.1:1/x'] },
      'postgres://127.0.0.1:1/x',
    ],
  ])('%s', async (_, options, text) => {
    const failure = start({ folder: temporaryFolder(), ...options });
    await expect(failure).rejects.toThrow('The gateway ended with 1');
    await expect(failure).rejects.toThrow(text);
    await expect(failure).rejects.not.toThrow(/hunter2|\n {4}at /);
  });

  it('with a file that another gateway serves, or with another master key', async () => {
    const folder = temporaryFolder();
    const first = await start({ folder });
    await expect(start({ folder })).rejects.toThrow('gateway.db');
    expect(await stopped(first)).toBe(0);
    const other = { GW_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
    const failure = start({ folder, env: other });
    await expect(failure).rejects.toThrow('sealed with another master key than the one that is given');
    await expect(failure).rejects.toThrow(
      `is that in ${path.join(folder, 'gateway.db.key')}: set neither if the store`,
    );
  });

  it('with another master key than the one that was set before, where there never was a file', async () => {
    const folder = temporaryFolder();
    const key = (byte: number) => ({ GW_MASTER_KEY: Buffer.alloc(32, byte).toString('base64') });
    expect(await stopped(await start({ folder, env: key(7) }))).toBe(0);
    const failure = start({ folder, env: key(8) });
    await expect(failure).rejects.toThrow(
      'sealed with another master key than the one that is given: set GW_MASTER_KEY',
    );
    await expect(failure).rejects.toThrow(`is that in ${path.join(folder, 'gateway.db.key')}, which is not there.`);
    await expect(failure).rejects.not.toThrow(/restore that file/);
  });

  it.each(['', '-wal'])('with a store that was emptied beside its key%s, which stays as it is', async (beside) => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'gateway.db');
    expect(await stopped(await start({ folder }))).toBe(0);
    writeFileSync(file, '');
    if (beside !== '') writeFileSync(`${file}${beside}`, '');
    const failure = start({ folder });
    await expect(failure).rejects.toThrow(`The store ${file} is an empty file, and its key ${file}.key is there`);
    await expect(failure).rejects.toThrow('Restore a backup of the store.');
    await expect(failure).rejects.not.toThrow(/\n {4}at /);
    expect(statSync(file).size).toBe(0);
  });

  it.each([
    ['lost', (file: string) => rmSync(file), 'which is not there'],
    [
      'another one',
      (file: string) => writeFileSync(file, Buffer.alloc(32, 7).toString('base64')),
      'which has another key',
    ],
  ])('with a key of its own that is %s: it names the file, and makes none', async (_, lose, text) => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'gateway.db.key');
    expect(await stopped(await start({ folder }))).toBe(0);
    const key = readFileSync(file, 'utf8');
    lose(file);
    const failure = start({ folder });
    await expect(failure).rejects.toThrow(`${file}, ${text}: restore that file`);
    await expect(failure).rejects.not.toThrow(/\n {4}at /);
    if (text.includes('not there')) {
      const rotation = await runGw(folder, ['keys', 'rotate-master', '--store', 'gateway.db']);
      expect([rotation.code, rotation.err]).toEqual([2, expect.stringContaining(file)]);
      expect(existsSync(file)).toBe(false);
    }
    writeFileSync(file, key, { mode: 0o600 });
    expect(await stopped(await start({ folder }))).toBe(0);
  });

  it('without the master key that its store is sealed with, and makes none', async () => {
    const folder = temporaryFolder();
    const key = { GW_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
    expect(await stopped(await start({ folder, env: key }))).toBe(0);
    await expect(start({ folder })).rejects.toThrow('sealed with a master key, and none is given: set GW_MASTER_KEY');
    expect(readdirSync(folder).filter((name) => name.includes('.key'))).toEqual([]);
    expect(await stopped(await start({ folder, env: key }))).toBe(0);
  });
});
