import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { findingLines } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { expectOnly, folderDoctor, masterKey, saveSecrets } from './store-doctor.ts';

const examine = folderDoctor();

const gatewayFile = { 'gateway.json': { store: { url: 'gateway.db' } } };

/** A folder with a store that contains sealed credentials, and that no gateway serves. */
const sealed = temporaryFolder(gatewayFile, afterAll);
let isSealed = false;

const seal = async (): Promise<void> => {
  const gateway = await serveStore('gateway.db', { folder: sealed });
  await saveSecrets(gateway);
  gateway.signal('SIGTERM');
  await gateway.exited;
  isSealed = true;
};

/** A copy of that folder. */
const sealedStore = async (): Promise<string> => {
  if (!isSealed) await seal();
  const folder = temporaryFolder();
  cpSync(sealed, folder, { recursive: true });
  return folder;
};

const contents = (folder: string): ReadonlyMap<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'latin1')]));

describe('gw doctor finds in a file of SQLite', () => {
  it('nothing, and does not change it', async () => {
    const folder = await sealedStore();
    const before = contents(folder);
    const run = await examine(folder, { env: { GW_MASTER_KEY: masterKey } });
    expect([findingLines(run), run.code]).toEqual([[], 0]);
    expect(contents(folder)).toEqual(before);
  });

  it('nothing if the file does not exist yet, and does not create it', async () => {
    const folder = temporaryFolder(gatewayFile);
    expect(findingLines(await examine(folder))).toEqual([]);
    expect(readdirSync(folder)).toEqual(['gateway.json']);
  });

  it('another gateway that serves it, but nothing if it is the gateway of the set-up itself', async () => {
    const folder = temporaryFolder(gatewayFile);
    const { origin } = await serveStore('gateway.db', { folder });
    const run = await examine(folder, { env: { GW_MASTER_KEY: masterKey } });
    expectOnly(
      run,
      /^error\[store\] .*gateway\.db: .*is served by another process.* = End that process, which may take some seconds, or keep the store in PostgreSQL\.$/,
    );
    const env = { GW_MASTER_KEY: masterKey, PORT: new URL(origin).port };
    const own = await examine(folder, { env });
    expect([findingLines(own), own.notes.map(({ check }) => check)]).toEqual([[], ['listen-address']]);
  });

  it('only that it does not answer if the gateway of the set-up itself is stopped', async () => {
    const folder = temporaryFolder(gatewayFile);
    const { origin, signal } = await serveStore('gateway.db', { folder });
    signal('SIGSTOP');
    onTestFinished(() => signal('SIGCONT'));
    expectOnly(
      await examine(folder, { env: { GW_MASTER_KEY: masterKey, PORT: new URL(origin).port } }),
      /^error\[listen-address\] .*: A server there does not answer GET \/livez within 8000 ms: /,
    );
  });

  it.each([
    [
      'wrong',
      { GW_MASTER_KEY: Buffer.alloc(32, 2).toString('base64') },
      /a different master key from the one that is given.* = Set GW_MASTER_KEY to the one/,
    ],
    ['missing', {}, /sealed with a master key, and none is given.* = Set GW_MASTER_KEY to the one/],
    [
      'invalid',
      { GW_MASTER_KEY: 'short' },
      /GW_MASTER_KEY must be 32 bytes.* = Create one with `openssl rand -base64 32`/,
    ],
  ])('a master key that is %s', async (_, env, expected) => {
    const run = await examine(await sealedStore(), { env });
    expectOnly(run, new RegExp(`^error\\[store\\] .*${expected.source}`));
  });

  it.each([
    [
      'whose keys a restored backup does not have',
      'delete from data_keys; delete from canary',
      'the provider "main", the integration "shared", the guardrail "guard" and the config "chat"',
      /the store does not have the keys that they are sealed with.* = Save these credentials again: backups contain no keys\.$/,
    ],
    [
      'that were changed',
      'update providers set credential = replace(credential, \'"box":"\', \'"box":"A\')',
      'the provider "main"',
      /they were changed in the store, or belong to other records\. = Save these credentials again\.$/,
    ],
    [
      'that were moved to another record',
      "update providers set id = '01a23410-90ca-76c0-9e06-17b631d94b05'",
      'the provider "main"',
      /they were changed in the store, or belong to other records\. = Save these credentials again\.$/,
    ],
  ])('saved credentials %s', async (_, change, names, expected) => {
    const folder = await sealedStore();
    const database = new DatabaseSync(path.join(folder, 'gateway.db'));
    database.exec(change);
    database.close();
    const run = await examine(folder, { env: { GW_MASTER_KEY: masterKey } });
    expectOnly(
      run,
      new RegExp(
        `^error\\[store\\] .*gateway\\.db: The secrets of ${names} cannot be decrypted, because ${expected.source}`,
      ),
    );
  });

  it('a store of a newer version', async () => {
    const folder = await sealedStore();
    const database = new DatabaseSync(path.join(folder, 'gateway.db'));
    database.exec("insert into migrations (number, name, at) values (9999, 'later', 0)");
    database.close();
    const run = await examine(folder, { env: { GW_MASTER_KEY: masterKey } });
    expectOnly(
      run,
      /^error\[store\] .*written by a newer version .*migration 9999.* = Start that version, or restore an earlier backup/,
    );
  });

  it.each([
    [
      'of a newer version',
      (file: string) => {
        const database = new DatabaseSync(file);
        database.exec("insert into log_migrations (number, name, at) values (9999, 'later', 0)");
        database.close();
      },
      /The log .* was written by a newer version .*migration 9999.* = Start that version, or restore an earlier backup/,
    ],
    [
      'that is not a database',
      (file: string) => writeFileSync(file, 'no database '.repeat(1000)),
      /is not an SQLite database\. = Name another file\./,
    ],
  ])('a log of requests %s, if requests are logged', async (_, change, expected) => {
    const folder = await sealedStore();
    change(path.join(folder, 'gateway-log.db'));
    const env = { GW_MASTER_KEY: masterKey };
    expectOnly(
      await examine(folder, { env }),
      new RegExp(`^warning\\[store\\] .*gateway-log\\.db: .*${expected.source}`),
    );
    writeFileSync(path.join(folder, 'gateway.json'), JSON.stringify({ ...gatewayFile['gateway.json'], log: false }));
    expect(findingLines(await examine(folder, { env }))).toEqual([]);
  });

  it('a lock that cannot be opened, whatever the permissions of the store', async () => {
    const folder = await sealedStore();
    rmSync(path.join(folder, 'gateway.db.lock'), { force: true });
    mkdirSync(path.join(folder, 'gateway.db.lock'));
    expectOnly(
      await examine(folder, { env: { GW_MASTER_KEY: masterKey } }),
      /^error\[store\] \S+gateway\.db: \S+gateway\.db\.lock is a folder, instead of a file that belongs to the store /,
    );
  });

  it('a file that is not a store', async () => {
    const folder = temporaryFolder({ ...gatewayFile, 'gateway.db': 'no database '.repeat(1000) });
    expectOnly(
      await examine(folder),
      /^error\[store\] .*gateway\.db is not an SQLite database\. = Name another file\.$/,
    );
  });

  it('policies by labels that no request can have, saved before labels were declared', async () => {
    const folder = temporaryFolder(gatewayFile);
    const gateway = await serveStore('gateway.db', { folder });
    const limit = { type: 'cost', credit_limit: 5, conditions: [{ key: 'metadata._usr', value: '*' }] };
    const save = async (path: string, body: object): Promise<string> => {
      const { id } = await control(gateway, `POST /policies/${path}`, { body });
      return String(id);
    };
    const usage = await save('usage-limits', { ...limit, name: 'Daily', group_by: [{ key: 'metadata._usr' }] });
    const rate = { type: 'requests', unit: 'rpm', value: 5, group_by: [{ key: 'api_key' }] };
    await save('rate-limits', { ...rate, conditions: [{ key: 'metadata.plam', value: 'gold' }] });
    await save('rate-limits', { ...rate, conditions: [{ key: 'metadata._user', value: '*' }] });
    const archived = await save('usage-limits', { ...limit, group_by: [{ key: 'api_key' }] });
    await control(gateway, `DELETE /policies/usage-limits/${archived}`);
    gateway.signal('SIGTERM');
    await gateway.exited;
    const env = { GW_MASTER_KEY: masterKey };
    expect(findingLines(await examine(folder, { env }))).toEqual([]);
    const declared = { ...gatewayFile['gateway.json'], metadata: { plan: { enum: ['free', 'gold'] } } };
    writeFileSync(path.join(folder, 'gateway.json'), JSON.stringify(declared));
    expect(findingLines(await examine(folder, { env })).toSorted()).toEqual([
      expect.stringMatching(
        /^warning\[store\] the rate policy ".+": The gateway file declares no label "plam"\. = Did you mean "plan"\? .* gw policies rate delete /,
      ),
      `warning[store] the usage policy "Daily": The gateway file declares no label "_usr". = Did you mean "_user"? Declared are plan. The gateway itself gives requests _user, _organisation, _prompt, _mirror. If the name is right, declare it under "metadata" in the gateway file, and restart the gateway. To correct it, make another policy, and archive this one: gw policies usage delete ${usage}`,
    ]);
  });

  it('a folder that is not writable, and a missing folder', async () => {
    const folder = temporaryFolder({ ...gatewayFile, 'closed/.keep': '' });
    chmodSync(path.join(folder, 'closed'), 0o555);
    expectOnly(
      await examine(folder, { args: ['--store', 'closed/a.db'] }),
      /^error\[store\] .*may not read and write .*closed\. = Give this user the right/,
    );
    chmodSync(path.join(folder, 'closed'), 0o755);
    rmSync(path.join(folder, 'closed'), { recursive: true });
    expectOnly(
      await examine(folder, { args: ['--store', 'closed/a.db'] }),
      /^error\[store\] .*The folder .*closed of the store does not exist\. = Create it: mkdir -p /,
    );
  });
});
