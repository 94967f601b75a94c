import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ensureFirst } from '../../../../plugins/control/access/keys/first-key.ts';
import { keyHash } from '../../../../plugins/control/access/keys/key-text.ts';
import { masterKeyText, newMasterKey, ownMasterKey } from '../../../../plugins/control/kernel/secrets/master-key.ts';
import type { Sealed } from '../../../../plugins/control/kernel/secrets/seal.ts';
import { createSealer, type Sealer } from '../../../../plugins/control/kernel/secrets/sealer.ts';
import { migrations } from '../../../../plugins/control/kernel/store/migrations/migrations.ts';
import { openStore } from '../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import { runGw } from '../../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../../support/commands/temporary-folder.ts';
import { makeOlderStore, readMigrations } from '../../../support/gateways/older-store.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../support/servers/postgres-server.ts';
import { openFile } from '../support/temporary-store.ts';
import { useEnvironment } from './support/api-server.ts';
import { runInTerminal } from './support/run-in-terminal.ts';

const isWindows = process.platform === 'win32';

const opened = async (file: string, serving = false): Promise<Store> => {
  const store = await openFile(file, serving);
  onTestFinished(() => store.close());
  return store;
};

/** Creates a folder with a store that is being served, with an organisation and one admin key. */
const servedFolder = async (): Promise<{ readonly folder: string; readonly store: Store }> => {
  useEnvironment();
  const folder = temporaryFolder();
  const store = await opened(path.join(folder, 'gateway.db'), true);
  await ensureFirst(store, { now: Date.now() });
  return { folder, store };
};

const keyHashes = async (store: Store): Promise<readonly string[]> =>
  (await store.db.selectFrom('keys').select('hash').execute()).map(({ hash }) => hash);

describe('gw backup', () => {
  it('copies a store that is being served, without the keys to its secrets', async () => {
    const { folder, store } = await servedFolder();
    const sealer = await createSealer({ store, masterKey: newMasterKey() });
    await sealer.seal('sk-secret', { tenant: 't', table: 'providers', id: '1', field: 'credential' });
    expect(await runGw(folder, ['backup', 'copy.db', '--store', 'gateway.db'])).toEqual({
      code: 0,
      out: 'copy.db has a copy of the store, without the keys that its secrets are encrypted with.\n',
      err: '',
    });
    const copy = await opened(path.join(folder, 'copy.db'));
    expect(await keyHashes(copy)).toEqual(await keyHashes(store));
    expect(await copy.db.selectFrom('data_keys').selectAll().execute()).toEqual([]);
  });

  it('copies a store of an earlier version as it is, and leaves it so', async () => {
    useEnvironment();
    const folder = temporaryFolder();
    const file = path.join(folder, 'gateway.db');
    await makeOlderStore(file, 'gw-an-admin-key');
    expect(await runGw(folder, ['backup', 'copy.db', '--store', 'gateway.db'])).toMatchObject({ code: 0, err: '' });
    expect(await readMigrations(file)).toEqual([1]);
    expect(await readMigrations(path.join(folder, 'copy.db'))).toEqual([1]);
  });

  it('reports a database that is not a store, and leaves it as it is', async () => {
    useEnvironment();
    const folder = temporaryFolder();
    const file = path.join(folder, 'other.db');
    const database = new DatabaseSync(file);
    database.exec('create table notes (text)');
    expect(await runGw(folder, ['backup', 'copy.db', '--store', 'other.db'])).toEqual({
      code: 1,
      out: '',
      err: `gw: The database ${file} has no store: no gateway has served it yet. Name another one.\n`,
    });
    expect(database.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'notes' }]);
    database.close();
    expect(existsSync(path.join(folder, 'copy.db'))).toBe(false);
  });

  it('does not overwrite a file', async () => {
    const { folder } = await servedFolder();
    writeFileSync(path.join(folder, 'copy.db'), 'mine');
    const { code, err } = await runGw(folder, ['backup', 'copy.db', '--store', 'gateway.db']);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^gw: The file \S+copy\.db already exists, and a backup does not overwrite files\. Name another file\.\n$/,
    );
    expect(readFileSync(path.join(folder, 'copy.db'), 'utf8')).toBe('mine');
  });

  it('uses the store of the gateway file if none is named', async () => {
    const { folder } = await servedFolder();
    writeFileSync(path.join(folder, 'gateway.json'), '{ "store": { "url": "gateway.db" } }');
    expect(await runGw(folder, ['backup', 'copy.db'])).toMatchObject({ code: 0 });
    expect(
      await runGw(temporaryFolder(), ['backup', 'copy.db', '--config', path.join(folder, 'gateway.json')]),
    ).toMatchObject({ code: 0 });
  });

  it.each([
    [
      '{ "store": { "url": "${env:GW_TEST_STORE}" } }',
      'The gateway file gateway.json does not say where its store is. "store.url" in the gateway file refers to ${env:GW_TEST_STORE}, which is not set. Set it, or remove "url".',
    ],
    [
      '{ "store": { "stale_auth_ms": 0 } }',
      'The gateway file gateway.json does not say where its store is. "store" in the gateway file has no "url". Add it, such as "url": "gateway.db", or set the store with --store.',
    ],
    [
      '{ "store": 1 }',
      'The gateway file gateway.json has errors. Find them with gw check --config gateway.json, or set the store with --store.',
    ],
    ['{}', 'gw backup requires a store. Name it with --store FILE|URL.'],
  ])('reports what is wrong with the gateway file: %s', async (text, message) => {
    useEnvironment();
    const folder = temporaryFolder({ 'gateway.json': text });
    expect(await runGw(folder, ['backup', 'copy.db'])).toEqual({ code: 2, out: '', err: `gw: ${message}\n` });
  });
});

describe.each([
  ['gw backup', ['backup', 'copy.db']],
  ['gw keys create --admin', ['keys', 'create', '--admin']],
  ['gw keys rotate-master', ['keys', 'rotate-master']],
])('%s', (_, argv) => {
  it('does not create a store if the name is wrong', async () => {
    useEnvironment();
    const folder = temporaryFolder();
    const { code, err } = await runGw(folder, [...argv, '--store', 'gatway.db']);
    expect(code).toBe(2);
    expect(err).toMatch(/^gw: There is no store \S+gatway\.db\. Correct the name\. /);
    expect(existsSync(path.join(folder, 'gatway.db'))).toBe(false);
  });

  it.each([
    ['redis://localhost', 'The store cannot be kept in redis. '],
    ['postgres://gateway:secret@127.0.0.1:1/a', 'The store postgres://127.0.0.1:1/a '],
  ])('explains why a store cannot be opened, without its password: %s', async (url, message) => {
    useEnvironment();
    const { code, out, err } = await runGw(temporaryFolder(), [...argv, '--store', url]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`gw: ${message}`);
    expect(err).not.toContain('secret');
  });

  it('reports a file that is not a store', async () => {
    useEnvironment();
    const folder = temporaryFolder({ 'notes.txt': 'Not a database, but a text that is longer than nothing.' });
    const { code, err } = await runGw(folder, [...argv, '--store', 'notes.txt']);
    expect(code).toBe(1);
    expect(err).toMatch(/^gw: .*notes\.txt.*\n$/);
  });

  it('has help', async () => {
    const { code, out } = await runGw(temporaryFolder(), [...argv, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: gw /);
    expect(out).toContain('--store FILE|URL');
  });
});

describe.each([
  ['gw keys create --admin', ['keys', 'create', '--admin']],
  ['gw keys rotate-master', ['keys', 'rotate-master']],
])('%s', (_, argv) => {
  it('refuses a store of an earlier version, which a gateway of that version may serve, and changes nothing', async () => {
    useEnvironment();
    const folder = temporaryFolder();
    const file = path.join(folder, 'gateway.db');
    await makeOlderStore(file, 'gw-an-admin-key');
    writeFileSync(`${file}.key`, `${masterKeyText(newMasterKey())}\n`);
    const { code, out, err } = await runGw(folder, [...argv, '--store', 'gateway.db']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `gw: The store ${file} was written by an earlier version of this program (migration 1; this one knows ${migrations.length}), which could not start again after a change by this one. Use that version for this command, or first start the gateway with this one.\n`,
    );
    expect(await readMigrations(file)).toEqual([1]);
    expect(existsSync(`${file}.admin-key`)).toBe(false);
  });
});

describe('gw keys create --admin', () => {
  it('writes the key to a file that only its owner can read, and prints only the path', async () => {
    const { folder, store } = await servedFolder();
    const before = await store.versions();
    const file = path.join(folder, 'gateway.db.admin-key');
    expect(await runGw(folder, ['keys', 'create', '--admin', '--store', 'gateway.db'])).toEqual({
      code: 0,
      out: `${file}\n`,
      err: '',
    });
    const key = readFileSync(file, 'utf8').trim();
    const row = await store.db.selectFrom('keys').selectAll().where('hash', '=', keyHash(key)).executeTakeFirst();
    expect(row).toMatchObject({ kind: 'organisation', status: 'active', expires_at: null });
    expect((await store.versions()).keys).toBe(before.keys + 1);
    if (!isWindows) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('neither overwrites a key that may be in use nor creates another one', async () => {
    const { folder, store } = await servedFolder();
    const file = path.join(folder, 'gateway.db.admin-key');
    writeFileSync(file, 'the first one\n');
    const before = await keyHashes(store);
    const { code, out, err } = await runGw(folder, ['keys', 'create', '--admin', '--store', 'gateway.db']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `gw: ${file} already exists, and may have a key that is still in use. Move it to a safe place, and run this again.\n`,
    );
    expect(readFileSync(file, 'utf8')).toBe('the first one\n');
    expect(await keyHashes(store)).toEqual(before);
  });

  it.skipIf(isWindows || process.getuid?.() === 0)('creates no key if it cannot be written', async () => {
    const { folder, store } = await servedFolder();
    const before = await keyHashes(store);
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    expect(await runGw(folder, ['keys', 'create', '--admin', '--store', 'gateway.db'])).toMatchObject({ code: 1 });
    expect(await keyHashes(store)).toEqual(before);
  });

  it('reports a full disk, and leaves no file', async () => {
    const { folder } = await servedFolder();
    const other = await open(path.join(folder, 'other'), 'w');
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const write = vi.spyOn(Object.getPrototypeOf(other), 'writeFile').mockRejectedValue(full);
    onTestFinished(() => write.mockRestore());
    await other.close();
    const file = path.join(folder, 'gateway.db.admin-key');
    expect(await runGw(folder, ['keys', 'create', '--admin', '--store', 'gateway.db'])).toEqual({
      code: 1,
      out: '',
      err: `gw: ${file} cannot be written: the disk is full. Make room. Or run this in a terminal, which shows the key.\n`,
    });
    expect(existsSync(file)).toBe(false);
  });

  it('prints the key to a terminal, and writes no file', async () => {
    const { folder, store } = await servedFolder();
    const { code, out, err } = await runInTerminal('keys', folder, ['create', '--admin', '--store', 'gateway.db']);
    expect(code).toBe(0);
    expect(out).toMatch(/^gw-[0-9a-z-]+\n$/);
    expect(err).toBe('gw: This admin key is not shown again. Send it as x-gw-api-key, or set GW_API_KEY to it.\n');
    expect(await keyHashes(store)).toContain(keyHash(out.trim()));
    expect(existsSync(path.join(folder, 'gateway.db.admin-key'))).toBe(false);
  });

  it('refuses the flags for other keys', async () => {
    const { folder } = await servedFolder();
    expect(await runGw(folder, ['keys', 'create', '--admin', '--name', 'a'])).toEqual({
      code: 2,
      out: '',
      err: 'gw: gw keys create --admin has no flag --name. See gw keys create --admin --help.\n',
    });
  });

  const programs = postgresFolder();
  it.runIf(programs !== undefined)('creates a key for a store in PostgreSQL', async () => {
    useEnvironment();
    const server: PostgresServer = await startPostgres(programs ?? '');
    try {
      const folder = temporaryFolder();
      const { code, out } = await runGw(folder, ['keys', 'create', '--admin', '--store', server.url]);
      expect({ code, out }).toEqual({ code: 0, out: `${path.join(folder, 'gateway.admin-key')}\n` });
      const store = await openStore({ url: server.url });
      expect(await keyHashes(store)).toEqual([keyHash(readFileSync(out.trim(), 'utf8').trim())]);
      await store.close();
    } finally {
      await server.stop();
    }
  });
});

describe('gw keys rotate-master', () => {
  const at = { tenant: 't', table: 'providers', id: '1', field: 'credential' };
  const sealed = async (sealer: Sealer): Promise<Sealed> => sealer.seal('sk-secret', at);
  const rotate = (folder: string) => runGw(folder, ['keys', 'rotate-master', '--store', 'gateway.db']);

  it('replaces a master key that is kept in a file', async () => {
    const { folder, store } = await servedFolder();
    const file = path.join(folder, 'gateway.db.key');
    const old = await ownMasterKey(file);
    const box = await sealed(await createSealer({ store, ...old }));
    const { code, out, err } = await rotate(folder);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      `The secrets of the store are now encrypted with a new key in ${file}. A gateway that serves it reads that key by itself.\n`,
    );
    const now = await ownMasterKey(file);
    expect(now.masterKey.id).not.toBe(old.masterKey.id);
    expect(now.previousMasterKey).toBeUndefined();
    expect(await (await createSealer({ store, ...now })).open(box, at)).toBe('sk-secret');
    await expect(createSealer({ store, ...old })).rejects.toThrow('a different master key');
  });

  it('makes the key of the environment the master key of the store', async () => {
    const { folder, store } = await servedFolder();
    const [old, next] = [newMasterKey(), newMasterKey()];
    const box = await sealed(await createSealer({ store, masterKey: old }));
    vi.stubEnv('GW_MASTER_KEY', masterKeyText(next));
    vi.stubEnv('GW_MASTER_KEY_PREVIOUS', masterKeyText(old));
    const done =
      'The secrets of the store are now encrypted with GW_MASTER_KEY. Start each gateway without GW_MASTER_KEY_PREVIOUS.\n';
    expect(await rotate(folder)).toEqual({ code: 0, out: done, err: '' });
    expect(await rotate(folder)).toEqual({ code: 0, out: done, err: '' });
    expect(await (await createSealer({ store, masterKey: next })).open(box, at)).toBe('sk-secret');
  });

  it('prefers the key of the gateway file to that of the environment, as a gateway does', async () => {
    const { folder, store } = await servedFolder();
    const [old, next] = [newMasterKey(), newMasterKey()];
    const box = await sealed(await createSealer({ store, masterKey: old }));
    const keyFile = path.join(folder, 'master.key');
    writeFileSync(keyFile, `${masterKeyText(next)}\n`);
    const settings = { store: { url: 'gateway.db', master_key: `\${file:${keyFile}}` } };
    writeFileSync(path.join(folder, 'gateway.json'), JSON.stringify(settings));
    vi.stubEnv('GW_MASTER_KEY', masterKeyText(newMasterKey()));
    expect(await rotate(folder)).toMatchObject({
      code: 2,
      err: 'gw: "store.master_key" of the gateway file is set, but the previous key is not. Set "store.master_key" of the gateway file to the new key and GW_MASTER_KEY_PREVIOUS to the old key.\n',
    });
    vi.stubEnv('GW_MASTER_KEY_PREVIOUS', masterKeyText(old));
    expect(await runGw(folder, ['keys', 'rotate-master'])).toEqual({
      code: 0,
      out: 'The secrets of the store are now encrypted with "store.master_key" of the gateway file. Start each gateway without GW_MASTER_KEY_PREVIOUS.\n',
      err: '',
    });
    expect(await (await createSealer({ store, masterKey: next })).open(box, at)).toBe('sk-secret');
  });

  it('reports a gateway file that refers to a key that is not set', async () => {
    const { folder } = await servedFolder();
    const settings = { store: { url: 'gateway.db', master_key: '${env:GW_TEST_MASTER}' } };
    writeFileSync(path.join(folder, 'gateway.json'), JSON.stringify(settings));
    expect(await rotate(folder)).toEqual({
      code: 2,
      out: '',
      err: 'gw: The gateway file gateway.json does not say what its master key is. "store.master_key" in the gateway file refers to ${env:GW_TEST_MASTER}, which is not set. Set it, or remove "master_key".\n',
    });
  });

  it('moves the key from its file to the environment', async () => {
    const { folder, store } = await servedFolder();
    const file = path.join(folder, 'gateway.db.key');
    const box = await sealed(await createSealer({ store, ...(await ownMasterKey(file)) }));
    const next = newMasterKey();
    vi.stubEnv('GW_MASTER_KEY', masterKeyText(next));
    expect(await rotate(folder)).toEqual({
      code: 2,
      out: '',
      err: `gw: GW_MASTER_KEY is set, but the previous key is not. Set GW_MASTER_KEY to the new key and GW_MASTER_KEY_PREVIOUS to the old key, or GW_MASTER_KEY_PREVIOUS_FILE to ${file}.\n`,
    });
    vi.stubEnv('GW_MASTER_KEY_PREVIOUS_FILE', file);
    expect(await rotate(folder)).toMatchObject({ code: 0 });
    expect(await (await createSealer({ store, masterKey: next })).open(box, at)).toBe('sk-secret');
  });

  it('changes nothing if the previous key is wrong', async () => {
    const { folder, store } = await servedFolder();
    const masterKey = newMasterKey();
    const box = await sealed(await createSealer({ store, masterKey }));
    vi.stubEnv('GW_MASTER_KEY', masterKeyText(newMasterKey()));
    vi.stubEnv('GW_MASTER_KEY_PREVIOUS', masterKeyText(newMasterKey()));
    const { code, err } = await rotate(folder);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^gw: The secrets of this store are sealed with a different master key from the one that is given: /,
    );
    expect(await (await createSealer({ store, masterKey })).open(box, at)).toBe('sk-secret');
  });

  it('reports that there is no master key, and creates none', async () => {
    const { folder } = await servedFolder();
    expect(await rotate(folder)).toEqual({
      code: 2,
      out: '',
      err: 'gw: There is no master key to rotate. Set GW_MASTER_KEY to the new key and GW_MASTER_KEY_PREVIOUS to the old one.\n',
    });
    expect(existsSync(path.join(folder, 'gateway.db.key'))).toBe(false);
  });
});
