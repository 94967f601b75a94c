import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { root } from '../../../tools/build/package-modules.ts';
import { type DoctorRun, findingLines } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { openTables } from '../../support/gateways/older-store.ts';
import { serveStore } from '../../support/gateways/stored-gateway.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { expectOnly, folderDoctor, masterKey, saveSecrets } from './store-doctor.ts';

const examine = folderDoctor();

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
    expect(findingLines(await examineUrl(server.url))).toEqual([]);
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
    expect(findingLines(await examineUrl(url))).toEqual([]);
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
    expect(findingLines(await examineUrl(plain))).toEqual([]);
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
    expect(findingLines(await examineUrl(plain))).toEqual([]);
  });

  it('a table of the store or of its log that is missing', async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query('create database partial');
    await client.end();
    const url = changed((each) => Object.assign(each, { pathname: '/partial' }));
    await (await serveStore(url)).stop();
    expect(findingLines(await examineUrl(url))).toEqual([]);
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
