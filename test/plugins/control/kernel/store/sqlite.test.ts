import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { thinned } from '../../../../support/run/sampled-pairs.ts';
import { startWriting } from './start-writing.ts';

const newFile = (): string => path.join(temporaryFolder(), 'gateway.db');

const opened = async (url: string, serving = true): Promise<Store> => {
  const store = await openStore({ url, serving });
  onTestFinished(() => store.close());
  return store;
};

const insertSetting = (store: Store, name: string, value: string): Promise<unknown> =>
  store.write((writing) => writing.insertInto('settings').values({ name, value }).execute());

const namesIn = async (store: Store): Promise<readonly string[]> =>
  (await store.db.selectFrom('settings').select('name').execute()).map(({ name }) => name);

const prepare = (file: string, statements: string): void => {
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
};

const otherTables = (file: string): void => prepare(file, 'CREATE TABLE keys (id TEXT)');

const newerTables = (file: string): void =>
  prepare(file, "CREATE TABLE migrations (number, name, at); INSERT INTO migrations VALUES (99, 'later', 0)");

describe('the file of a store', () => {
  it('is accessible only to its owner, and so are the files beside it', async () => {
    const file = newFile();
    const store = await opened(file);
    await insertSetting(store, 'a', '1');
    const modes = readdirSync(path.dirname(file)).map((name) => [
      name,
      statSync(path.join(path.dirname(file), name)).mode & 0o777,
    ]);
    expect(modes).toEqual(
      ['gateway.db', 'gateway.db-shm', 'gateway.db-wal', 'gateway.db.lock'].map((name) => [name, 0o600]),
    );
  });

  it('can be specified as a path or as sqlite:path', async () => {
    const file = newFile();
    await (await openStore({ url: `sqlite:${file}` })).close();
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it('is synchronised to the disk before a write is acknowledged', async () => {
    const store = await opened(newFile());
    const { rows } = await store.write((writing) => sql`pragma synchronous`.execute(writing));
    expect(rows).toEqual([{ synchronous: 2 }]);
    expect((await sql`pragma journal_mode`.execute(store.db)).rows).toEqual([{ journal_mode: 'wal' }]);
  });

  it.each([
    ['is not a database', (file: string) => writeFileSync(file, 'x'.repeat(5000)), 'is not an SQLite database'],
    ['is a folder', (file: string) => mkdirSync(file), 'is a folder, and a store is a file. Name a file in it'],
    ['has tables of another program', otherTables, 'cannot be created: table "keys" already exists'],
    [
      'was written by a newer version of the program',
      newerTables,
      'newer version of this program (migration 99; this one knows ',
    ],
  ])('is refused if it %s', async (_what, spoil, said) => {
    const file = newFile();
    spoil(file);
    const refused = openStore({ url: file });
    await expect(refused).rejects.toThrow(StoreError);
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.toThrow(file);
  });

  it('is refused if it is a folder, and no file is left beside that folder', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'gateway.db');
    mkdirSync(file);
    await expect(openStore({ url: file })).rejects.toThrow(
      `Name a file in it, such as ${path.join(file, 'gateway.db')}.`,
    );
    expect(readdirSync(folder)).toEqual(['gateway.db']);
  });

  it('is refused if its lock file cannot be opened, with the name of that file', async () => {
    const file = newFile();
    writeFileSync(`${file}.lock`, 'x'.repeat(5000));
    await expect(openStore({ url: file })).rejects.toThrow(
      new StoreError(`The file ${file}.lock is not an SQLite database. Name another file.`),
    );
  });

  it.each(['-wal', '-shm', '-journal', '.lock'])(
    'is refused if a folder is in the place of its file %s',
    async (end) => {
      const file = newFile();
      await (await openStore({ url: file })).close();
      rmSync(`${file}${end}`, { force: true });
      mkdirSync(`${file}${end}`);
      await expect(openStore({ url: file })).rejects.toThrow(
        `${file}${end} is a folder, instead of a file that belongs to the store ${file}. Move it away.`,
      );
    },
  );

  it.skipIf(process.platform === 'win32')('is refused if it is a named pipe or a device', async () => {
    const file = newFile();
    execFileSync('mkfifo', [file]);
    await expect(openStore({ url: file })).rejects.toThrow(
      `${file} is a named pipe, and a store is a file. Name another file.`,
    );
    await expect(openStore({ url: '/dev/null' })).rejects.toThrow('/dev/null is a device, and a store is a file.');
  });

  it('is created, with its lock, at the target of a symbolic link that points to nothing yet', async () => {
    const [link, file] = [newFile(), newFile()];
    symlinkSync(file, link);
    const store = await opened(link);
    await insertSetting(store, 'a', '1');
    await expect(openStore({ url: file })).rejects.toThrow('is served by another process');
    expect(readdirSync(path.dirname(link))).toEqual(['gateway.db']);
  });

  it('is refused if it is a symbolic link into a folder that does not exist', async () => {
    const link = newFile();
    const file = path.join(path.dirname(link), 'no', 'gateway.db');
    symlinkSync(file, link);
    await expect(openStore({ url: link })).rejects.toThrow(
      `The file ${link} is a symbolic link to ${file}, whose folder does not exist. Create the folder, or correct the link.`,
    );
  });

  it('is refused in a folder that does not exist', async () => {
    const file = path.join(temporaryFolder(), 'no', 'gateway.db');
    await expect(openStore({ url: file })).rejects.toThrow(
      `The file ${file} is in a folder that does not exist. Create the folder.`,
    );
  });

  it.runIf(process.getuid?.() !== 0)('is refused if its folder cannot be written', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    await expect(openStore({ url: path.join(folder, 'gateway.db') })).rejects.toThrow('Give this user the right');
    chmodSync(folder, 0o700);
  });

  it('is not left locked by a process that could not open it', async () => {
    const file = newFile();
    newerTables(file);
    await expect(openStore({ url: file })).rejects.toThrow('newer');
    prepare(file, 'DROP TABLE migrations');
    await opened(file);
  });
});

describe('the process that serves a file', () => {
  it('is the only one: a second process is refused with advice', async () => {
    const file = newFile();
    const store = await opened(file);
    await expect(openStore({ url: file })).rejects.toThrow(
      `The store ${file} is served by another process, and only one process at a time can serve it. End that process`,
    );
    await insertSetting(store, 'a', '1');
    expect(await namesIn(store)).toEqual(['a']);
  });

  it('is the only one, even if another process opens the file through a symbolic link', async () => {
    const file = newFile();
    const link = `${file}.link`;
    await opened(file);
    symlinkSync(file, link);
    await expect(openStore({ url: link })).rejects.toThrow('is served by another process');
  });

  it('is the only one, even if its lock file was deleted: it takes the lock again', async () => {
    const file = newFile();
    const store = await opened(file);
    rmSync(`${file}.lock`);
    await insertSetting(store, 'a', '1');
    await expect(openStore({ url: file })).rejects.toThrow('is served by another process');
    await insertSetting(store, 'b', '1');
  });

  it('cannot write after its lock was deleted and taken by another process, until that process has ended', async () => {
    const file = newFile();
    const store = await opened(file);
    rmSync(`${file}.lock`);
    const other = await openStore({ url: file });
    await expect(insertSetting(store, 'a', '1')).rejects.toThrow(
      new StoreError(
        `The file ${file}.lock was deleted or moved while the store ${file} was open, and another process serves the store now. End one of the two, and leave that file where it is.`,
      ),
    );
    await insertSetting(other, 'b', '1');
    await other.close();
    await insertSetting(store, 'c', '1');
    expect(await namesIn(store)).toEqual(['b', 'c']);
  });

  it.each(['-wal', '-shm'])(
    'writes no more after the file %s next to it was deleted, and loses nothing that it wrote before when it closes',
    async (ending) => {
      const file = newFile();
      const store = await openStore({ url: file });
      await insertSetting(store, 'a', '1');
      // SQLite opens the files next to the database for each connection when that is first used.
      expect(await namesIn(store)).toEqual(['a']);
      rmSync(`${file}${ending}`);
      await expect(insertSetting(store, 'b', '1')).rejects.toThrow(
        `The file ${file}${ending} was deleted or moved while it was open, and what is written to it would be lost. Put the previous file back, or start this program again.`,
      );
      expect(await namesIn(store)).toEqual(['a']);
      await store.close();
      const again = await opened(file);
      await insertSetting(again, 'c', '1');
      expect(await namesIn(again)).toEqual(['a', 'c']);
    },
  );

  it('can be followed by another one when it has closed the file', async () => {
    const file = newFile();
    await (await openStore({ url: file })).close();
    await opened(file);
  });

  it('locks out other processes while it runs, but not after it was killed', async () => {
    const file = newFile();
    const serving = startWriting(file);
    await serving.printed(2);
    await expect(openStore({ url: file })).rejects.toThrow('is served by another process');
    await serving.kill();
    await opened(file);
  });

  it('lets commands read and write beside it', async () => {
    const file = newFile();
    const store = await opened(file);
    const command = await opened(file, false);
    await insertSetting(command, 'of the command', '1');
    await insertSetting(store, 'of the server', '1');
    expect(await namesIn(store)).toEqual(await namesIn(command));
    expect(await namesIn(store)).toHaveLength(2);
  });

  it('is not needed by several commands that open a new file at once', async () => {
    const file = newFile();
    const stores = await Promise.all(Array.from({ length: 6 }, () => opened(file, false)));
    for (const store of stores) expect(await store.versions()).toEqual({ keys: 0, plans: 0, policies: 0 });
  });
});

const otherSide = (side: string): string => (side === 'left' ? 'right' : 'left');

describe('a process that is killed while it writes', () => {
  it('loses no acknowledged write, and leaves no partial one', async () => {
    const file = newFile();
    const acknowledged: number[] = [];
    const rounds = 20 / thinned(4);
    for (let round = 0; round < rounds; round += 1) {
      const child = startWriting(file, round * 100_000);
      await child.printed(2 + randomInt(20));
      await child.kill();
      acknowledged.push(...child.lines.slice(1).map(Number));
    }
    const store = await opened(file);
    const names = new Set(await namesIn(store));
    const lost = acknowledged.filter((number) => !names.has(`left-${number}`) || !names.has(`right-${number}`));
    expect(lost).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds);
    const half = [...names].filter((name) => !names.has(name.replace(/^left|^right/, otherSide)));
    expect(half).toEqual([]);
    const checked = new DatabaseSync(file, { readOnly: true });
    expect(checked.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    checked.close();
  });
});

describe('a backup', () => {
  const wrapped = 'the-wrapped-key-of-the-store';

  const withKeys = async (file: string): Promise<Store> => {
    const store = await opened(file);
    await store.write(async (writing) => {
      const row = { tenant: 't', wrapped, created_at: 1, retired_at: null };
      for (let id = 0; id < 50; id += 1)
        await writing
          .insertInto('data_keys')
          .values({ ...row, id: `${id}` })
          .execute();
      await writing.insertInto('canary').values({ id: 'canary', wrapped }).execute();
      await writing.insertInto('settings').values({ name: 'kept', value: '1' }).execute();
    });
    return store;
  };

  it('contains the data of the store without the keys, and is accessible only to its owner', async () => {
    const store = await withKeys(newFile());
    const copy = path.join(temporaryFolder(), 'backup.db');
    await store.backup(copy);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readFileSync(copy, 'latin1')).not.toContain(wrapped);
    expect(readdirSync(path.dirname(copy))).toEqual(['backup.db']);
    expect(await store.db.selectFrom('data_keys').selectAll().execute()).toHaveLength(50);
    const restored = await opened(copy);
    expect(await namesIn(restored)).toEqual(['kept']);
    expect(await restored.db.selectFrom('data_keys').selectAll().execute()).toEqual([]);
    expect(await restored.db.selectFrom('canary').selectAll().execute()).toEqual([]);
  });

  it('is a consistent snapshot of a store that is being written', async () => {
    const file = newFile();
    const child = startWriting(file);
    await child.printed(20);
    const command = await opened(file, false);
    const copy = `${file}.copy`;
    await command.backup(copy);
    const seen = child.lines.length;
    await child.printed(seen + 5);
    await child.kill();
    const names = await namesIn(await opened(copy));
    expect(names.length).toBeGreaterThanOrEqual(38);
    expect(names.filter((name) => name.startsWith('left'))).toHaveLength(names.length / 2);
  });

  it('does not overwrite a file', async () => {
    const store = await withKeys(newFile());
    const folder = temporaryFolder({ 'backup.db': 'mine' });
    const copy = path.join(folder, 'backup.db');
    await expect(store.backup(copy)).rejects.toThrow(
      `The file ${copy} already exists, and a backup does not overwrite files. Name another file.`,
    );
    expect(readFileSync(copy, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['backup.db']);
  });

  it('is refused, with the name of its file, in a folder that does not exist', async () => {
    const store = await withKeys(newFile());
    const copy = path.join(temporaryFolder(), 'no', 'backup.db');
    await expect(store.backup(copy)).rejects.toThrow(`The file ${copy} is in a folder that does not exist.`);
  });
});
