import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { limitCommands } from '../../../plugins/control/metering/counters/redis/script-texts.ts';
import { root } from '../../../tools/build/package-modules.ts';
import { type DoctorOptions, type DoctorRun, sharedDoctor } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { openTables } from '../../support/gateways/older-store.ts';
import { control, serveStore } from '../../support/gateways/stored-gateway.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';

const runDoctor = sharedDoctor();

/** Without EVAL, nothing else could be tried. */
const scriptCommands = limitCommands().filter((name) => name !== 'eval');

const masterKey = Buffer.alloc(32, 1).toString('base64');
const gatewayFile = { 'gateway.json': { store: { url: 'gateway.db' } } };

const examine = async (folder: string, { env = {}, ...rest }: DoctorOptions = {}): Promise<DoctorRun> =>
  runDoctor(folder, { ...rest, env: { PORT: String(await freePort()), ...env } });

const lines = ({ problems }: DoctorRun): readonly string[] =>
  problems.map(({ check, severity, subject, what, remedy }) => `${severity}[${check}] ${subject}: ${what} = ${remedy}`);

const expectOnly = (run: DoctorRun, expected: RegExp): void =>
  expect(lines(run)).toEqual([expect.stringMatching(expected)]);

/** Saves a record of each kind that has secrets. */
const saveSecrets = async (gateway: GatewayProcess): Promise<void> => {
  const credential = { api_key: 'sk-sealed' };
  const save = (path: string, body: object) => control(gateway, `POST /${path}`, { body: { name: 'Main', ...body } });
  await save('providers', { slug: 'main', provider: 'openai', credential });
  await save('integrations', { slug: 'shared', provider: 'openai', credential });
  const checks = [{ id: 'lakera.guard', parameters: { credentials: { apiKey: 'lk-sealed' } } }];
  await save('guardrails', { slug: 'guard', actions: { deny: true }, checks });
  await save('configs', { slug: 'chat', config: { provider: 'openai', ...credential } });
};

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
    expect([lines(run), run.code]).toEqual([[], 0]);
    expect(contents(folder)).toEqual(before);
  });

  it('nothing if the file does not exist yet, and does not create it', async () => {
    const folder = temporaryFolder(gatewayFile);
    expect(lines(await examine(folder))).toEqual([]);
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
    expect([lines(own), own.notes.map(({ check }) => check)]).toEqual([[], ['listen-address']]);
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
    expect(lines(await examine(folder, { env }))).toEqual([]);
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
    expect(lines(await examine(folder, { env }))).toEqual([]);
    const declared = { ...gatewayFile['gateway.json'], metadata: { plan: { enum: ['free', 'gold'] } } };
    writeFileSync(path.join(folder, 'gateway.json'), JSON.stringify(declared));
    expect(lines(await examine(folder, { env })).toSorted()).toEqual([
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

describe.skipIf(!hasRedis)('gw doctor finds in a Redis', () => {
  const withLimits = (url: string): string =>
    temporaryFolder({ 'gateway.json': { store: { url: 'gateway.db', limits: { url } }, cache: { url } } });

  const started = async (...args: Parameters<typeof startRedis>) => {
    const server = await startRedis(...args);
    onTestFinished(() => server.stop());
    return server;
  };

  it('nothing if it keeps the counters of limits', async () => {
    expect(lines(await examine(withLimits((await started('durable')).url)))).toEqual([]);
  });

  it('that it keeps nothing on disk', async () => {
    expectOnly(
      await examine(withLimits((await started('volatile')).url)),
      /^warning\[redis\] "store\.limits\.url": .*keeps nothing when it restarts.* = Set "appendonly yes" and "appendfsync always"/,
    );
  });

  it('that it evicts keys when it is full', async () => {
    const { url } = await started('durable', ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru']);
    expectOnly(
      await examine(withLimits(url)),
      /^error\[redis\] "store\.limits\.url": .*drops keys .*allkeys-lru.* = Set "maxmemory-policy noeviction"/,
    );
  });

  it.each([
    ['a missing', '', 'NOAUTH: it requires a password'],
    ['a wrong', ':wrong@', 'WRONGPASS: it refuses the password'],
  ])('that it refuses %s password', async (_, credential, reason) => {
    const { url } = await started('durable', ['--requirepass', 'right']);
    const folder = temporaryFolder({
      'gateway.json': { store: { url: 'gateway.db', limits: { url: '${env:LIMITS}' } } },
    });
    const run = await examine(folder, { env: { LIMITS: url.replace('redis://', `redis://${credential}`) } });
    expectOnly(
      run,
      new RegExp(
        `^error\\[redis\\] "store\\.limits\\.url": The Redis at 127\\.0\\.0\\.1:\\d+ cannot be used \\(${reason}\\)\\. = Write the user and the password`,
      ),
    );
  });

  it.each<readonly [string, readonly string[], readonly string[][], RegExp]>([
    [
      'is a replica',
      [],
      [['replicaof', '127.0.0.1', '1']],
      /cannot be used \(READONLY: it is a replica.*\)\. = Name the primary server in the URL\.$/,
    ],
    [
      'has no memory left',
      [],
      [['config', 'set', 'maxmemory', '1']],
      /cannot be used \(OOM: its memory is full\)\. = Raise its maxmemory/,
    ],
    [
      'does not let its user run scripts',
      [],
      [['acl', 'setuser', 'default', '-eval']],
      /cannot be used \(NOPERM: .*\)\. = Allow the user all commands on keys that match \*gatewright:\*/,
    ],
    [
      'does not let its user run commands of the scripts',
      [],
      [['acl', 'setuser', 'default', ...scriptCommands.map((name) => `-${name}`)]],
      new RegExp(
        `does not let its user run ${scriptCommands.join(', ').toUpperCase()} on the keys of limits\\. = Allow the user all commands`,
      ),
    ],
    [
      'does not let its user write the keys of limits',
      [],
      [['acl', 'setuser', 'default', 'resetkeys', '~other:*']],
      /cannot be used \(NOPERM: .*\)\. = Allow the user all commands on keys that match \*gatewright:\*/,
    ],
    [
      'is a node of a cluster without slots',
      ['--cluster-enabled', 'yes'],
      [],
      /cannot be used \(it is a node of a cluster .*\)\. = Name a Redis that is not part of a cluster\.$/,
    ],
  ])('that it %s', async (_, settings, commands, expected) => {
    const { url } = await started('durable', settings);
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    for (const [command = '', ...args] of commands) await client.call(command, ...args);
    const folder = temporaryFolder({ 'gateway.json': { store: { url: 'gateway.db', limits: { url } } } });
    expectOnly(await examine(folder), new RegExp(`^error\\[redis\\] "store\\.limits\\.url": .*${expected.source}`));
  });

  it.each<readonly [string, readonly string[], RegExp]>([
    [
      'commands of the cache',
      ['-pexpire', '-set'],
      /does not let its user run PEXPIRE, SET on the keys of the cache\. = /,
    ],
    [
      'leases',
      ['resetkeys', '~gatewright:cache:*'],
      /cannot be used \(NOPERM: .*\)\. = Allow the user all commands on /,
    ],
  ])('that it does not let its user use %s', async (_, rules, expected) => {
    const { url } = await started();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.call('ACL', 'SETUSER', 'default', ...rules);
    const folder = temporaryFolder({ 'gateway.json': { cache: { url } } });
    expectOnly(await examine(folder), new RegExp(`^error\\[redis\\] "cache\\.url": .*${expected.source}`));
  });

  it('that it is still reading its data', async () => {
    const server = createServer((socket) => {
      const facts = 'loading:1\r\nloading_eta_seconds:3600\r\n';
      const answer = `$${facts.length}\r\n${facts}\r\n`;
      socket.on('data', (bytes) => socket.write(answer.repeat(bytes.toString().match(/\*\d+\r\n/g)?.length ?? 0)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = temporaryFolder({ 'gateway.json': { cache: { url } } });
    expectOnly(
      await examine(folder),
      /^error\[redis\] "cache\.url": .*cannot be used \(LOADING: it is still reading its data from its disk\)\. = /,
    );
  });

  it('that it is unavailable, for limits and for the cache', async () => {
    const run = await examine(withLimits(`redis://127.0.0.1:${await freePort()}`));
    const away = (setting: string): unknown =>
      expect.stringMatching(
        new RegExp(
          `^error\\[redis\\] "${setting}": .* cannot be reached \\(ECONNREFUSED\\)\\. = Start it, or correct the host`,
        ),
      );
    expect(lines(run)).toEqual([away('store.limits.url'), away('cache.url')]);
  });
});

const folder = postgresFolder();

describe.skipIf(folder === undefined)('gw doctor finds in a PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(folder ?? '');
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query("create role plain login password 'right'");
    await client.query('create database granted');
    await client.end();
    // The first matching line applies.
    const file = path.join(server.folder, 'pg_hba.conf');
    writeFileSync(file, `host all plain 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`);
    await server.end();
    await server.start();
  });
  afterAll(() => server.stop());

  const examineUrl = (url: string, env = {}): Promise<DoctorRun> =>
    examine(temporaryFolder({ 'gateway.json': { store: { url: '${env:STORE}' } } }), {
      env: { STORE: url, GW_MASTER_KEY: masterKey, ...env },
    });
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(server.url);
    change(url);
    return url.href;
  };

  it('nothing', async () => {
    expect(lines(await examineUrl(server.url))).toEqual([]);
  });

  it('saved credentials whose keys a restored backup does not have', async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('create database sealed');
    await client.end();
    const url = changed((each) => Object.assign(each, { pathname: '/sealed' }));
    const gateway = await serveStore(url);
    await saveSecrets(gateway);
    await gateway.stop();
    expect(lines(await examineUrl(url))).toEqual([]);
    const { db, close } = await openTables(url);
    await sql`delete from data_keys where tenant in (select id from workspaces)`.execute(db);
    await close();
    expectOnly(
      await examineUrl(url),
      /^error\[store\] postgres:.*The secrets of the provider "main", the guardrail "guard" and the config "chat" cannot be /,
    );
  });

  it('a log of requests of a newer version', async () => {
    const { db, close } = await openTables(server.url);
    onTestFinished(async () => {
      await sql`drop table migrations, log_migrations`.execute(db);
      await close();
    });
    for (const table of ['migrations', 'log_migrations'])
      await sql`create table ${sql.table(table)} (number bigint not null)`.execute(db);
    await sql`insert into log_migrations values (9999)`.execute(db);
    expectOnly(
      await examineUrl(server.url),
      /^warning\[store\] postgres:.*The log .* was written by a newer version .*migration 9999.* = Start that version/,
    );
  });

  it('a missing master key', async () => {
    const run = await examine(temporaryFolder(), { args: ['--store', server.url] });
    expectOnly(run, /^warning\[store\] postgres:.*There is no master key.* = Set GW_MASTER_KEY/);
  });

  it('a wrong password, and an unknown user and database', async () => {
    const missing = changed((url) => Object.assign(url, { username: 'plain', password: '' }));
    expectOnly(
      await examineUrl(missing),
      /^error\[store\] postgres:.*requires a password, and the URL of the store has none\. = Add it after the user/,
    );
    const wrong = changed((url) => Object.assign(url, { username: 'plain', password: 'never-printed' }));
    const run = await examineUrl(wrong);
    expectOnly(
      run,
      /^error\[store\] postgres:.*refuses the user or the password\. = Correct the user and the password/,
    );
    expect(run.printed).not.toContain('never-printed');
    expectOnly(
      await examineUrl(changed((url) => Object.assign(url, { username: 'nobody' }))),
      /^error\[store\] .*does not allow this user to connect.* = Correct the user/,
    );
    expectOnly(
      await examineUrl(changed((url) => Object.assign(url, { pathname: '/none' }))),
      /^error\[store\] .*does not have the database\. = Create it/,
    );
  });

  it('a user who may not create tables', async () => {
    const plain = changed((url) => Object.assign(url, { username: 'plain', password: 'right' }));
    expectOnly(await examineUrl(plain), /^error\[store\] .*may not make tables in its schema\. = Grant it/);
  });

  it('a user who may not write one of the tables of the store', async () => {
    const inGranted = (user = {}): string => changed((url) => Object.assign(url, { pathname: '/granted', ...user }));
    await (await serveStore(inGranted())).stop();
    const client = new pg.Client(inGranted());
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('create role other');
    await client.query('grant all on schema public to plain, other; grant all on all tables in schema public to plain');
    const plain = inGranted({ username: 'plain', password: 'right' });
    expect(lines(await examineUrl(plain))).toEqual([]);
    for (const [change, revert] of [
      ['revoke insert on keys from plain', 'grant insert on keys to plain'],
      ['revoke select on migrations from plain', 'grant select on migrations to plain'],
      [
        'alter table collections owner to other; revoke all on collections from plain',
        'grant all on collections to plain',
      ],
      ['revoke update on log_rows from plain', 'grant update on log_rows to plain'],
    ] as const) {
      await client.query(change);
      expectOnly(
        await examineUrl(plain),
        /^error\[store\] .*may not read and write all tables of the store\. = Make this user/,
      );
      await client.query(revert);
    }
    expect(lines(await examineUrl(plain))).toEqual([]);
  });

  it('a table of the store or of its log that is missing', async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('create database partial');
    await client.end();
    const url = changed((each) => Object.assign(each, { pathname: '/partial' }));
    await (await serveStore(url)).stop();
    expect(lines(await examineUrl(url))).toEqual([]);
    const { db, close } = await openTables(url);
    onTestFinished(close);
    for (const table of ['collections', 'log_rows']) {
      await sql`alter table ${sql.table(table)} rename to kept`.execute(db);
      expectOnly(await examineUrl(url), /^error\[store\] .*A table of the store is missing\. = Restore the database/);
      await sql`alter table kept rename to ${sql.table(table)}`.execute(db);
    }
  });

  it('an encoding other than UTF8', async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query("create database latin encoding 'LATIN1' locale 'C' template template0");
    await client.end();
    expectOnly(
      await examineUrl(changed((url) => Object.assign(url, { pathname: '/latin' }))),
      /^error\[store\] .*has the encoding LATIN1, and a store needs UTF8\. = Create another one, CREATE DATABASE /,
    );
  });

  it('a search_path that names no schema', async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('create database pathless');
    await client.query('alter database pathless set search_path to nowhere');
    await client.end();
    expectOnly(
      await examineUrl(changed((each) => Object.assign(each, { pathname: '/pathless' }))),
      /^error\[store\] .*The search_path of the user names no schema .*\. = Correct it, alter database /,
    );
  });

  it('a clock that differs from that of this machine', async () => {
    const shift = path.join(temporaryFolder({ shift: '7200000' }), 'shift');
    chmodSync(path.dirname(shift), 0o755);
    const run = await examineUrl(server.url, {
      NODE_OPTIONS: `--import=${path.join(root, 'test/support/gateways/shifted-clock.mjs')}`,
      GW_TEST_CLOCK_SHIFT: shift,
    });
    expectOnly(
      run,
      /^warning\[store\] postgres:.*The clock of this machine is 120 minutes ahead of that of the server.* = Set the clock/,
    );
  });

  it.each([
    ['it does not offer TLS', '?sslmode=verify-full'],
    ['a file of certificates is missing', '?sslmode=verify-full&sslrootcert=/no/such/file'],
  ])('that its URL requires TLS, but %s', async (_, search) => {
    const url = changed((each) => Object.assign(each, { search }));
    expectOnly(
      await examineUrl(url),
      /^error\[store\] postgres:.*cannot be encrypted as the URL of the store requires\. = Name the server as in its certificate/,
    );
    await expect(openStore({ url, serving: false })).rejects.toThrow(
      /cannot be used: .* Name the server as in its cert/,
    );
  });

  it('that it requires TLS', async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('create role encrypted login');
    await client.end();
    const file = path.join(server.folder, 'pg_hba.conf');
    writeFileSync(file, `host all encrypted 127.0.0.1/32 reject\n${readFileSync(file, 'utf8')}`);
    await server.end();
    await server.start();
    expectOnly(
      await examineUrl(changed((url) => Object.assign(url, { username: 'encrypted' }))),
      /^error\[store\] .*does not allow this user to connect.* If the server requires TLS, add \?sslmode=verify-full/,
    );
  });

  it('that nothing listens at its address', async () => {
    const port = String(await freePort());
    expectOnly(
      await examineUrl(changed((url) => Object.assign(url, { port }))),
      /^error\[store\] .*cannot be reached \(ECONNREFUSED\)\. = Start it, or correct the host/,
    );
  });
});
