import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { adminKey, callControl, chat, makeKey, serveStore } from '../../support/gateways/stored-gateway.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { logStatus, total } from '../logs/support/watched-log.ts';

const programs = postgresFolder();

/** The tables of control-plane records, of the log and of the ledger that the tests make unusable. */
const tables = ['collections', 'log_rows', 'ledger_postings'];

/**
 * What can happen to tables, as statements of a superuser in the database, for a gateway that connects as `app`. A transaction
 * that begins is the one that ends afterwards.
 */
const ways: readonly (readonly [way: string, begin: string, end: string, reason: RegExp])[] = [
  [
    'are locked for longer than the lock_timeout of its user',
    `begin; lock table ${tables.join(', ')}`,
    'rollback',
    /canceling statement due to lock timeout\. Find out in pg_locks .* or raise lock_timeout/,
  ],
  [
    'belong to another user',
    tables.map((table) => `alter table ${table} owner to gateway`).join('; '),
    tables.map((table) => `alter table ${table} owner to app`).join('; '),
    /permission denied for table \w+\. Make this user the owner of the tables/,
  ],
  [
    'are missing while a backup is restored',
    tables.map((table) => `alter table ${table} rename to kept_${table}`).join('; '),
    tables.map((table) => `alter table kept_${table} rename to ${table}`).join('; '),
    /relation "\w+" does not exist\. Restore the database/,
  ],
];

describe.runIf(programs !== undefined)('a gateway whose tables in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterAll(() => server.stop());

  const connect = async (url: string): Promise<pg.Client> => {
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };

  it.each(ways)(
    '%s answers 503, reports the reason, and loses no records',
    async (way, begin, end, reason) => {
      const first = await connect(server.url);
      await first.query('drop database if exists app with (force)');
      await first.query('drop role if exists app');
      await first.query("create role app login; alter role app set lock_timeout = '50ms'");
      await first.query('create database app owner app');
      const url = Object.assign(new URL(server.url), { pathname: '/app' });
      const gateway = await serveStore(Object.assign(new URL(url), { username: 'app' }).href);
      const { key } = await makeKey(gateway, 'known');
      expect((await chat(gateway, { key })).status).toBe(200);
      await expect.poll(() => total(gateway)).toBe(1);
      const operator = await connect(url.href);
      await operator.query(begin);
      const refused = await callControl(gateway, 'POST /collections', { body: { name: way } });
      expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('store-unavailable')]);
      expect((await chat(gateway, { key })).status).toBe(200);
      await expect.poll(() => logStatus(gateway)).toMatchObject({ status: 'away', waiting: 1, dropped: 0 });
      expect(gateway.printed()).toMatch(
        new RegExp(`gw: The log cannot be written: The store \\S+ cannot be used: ${reason.source}`),
      );
      const shown = async (): Promise<unknown> =>
        (await fetch(`${gateway.origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } })).json();
      await expect
        .poll(shown)
        .toMatchObject({ status: 'degraded', store: { ledger_failure: expect.stringMatching(reason) } });
      await operator.query(end);
      await expect.poll(() => logStatus(gateway)).toMatchObject({ status: 'ready', waiting: 0, dropped: 0 });
      await expect.poll(() => total(gateway)).toBe(2);
      expect((await callControl(gateway, 'POST /collections', { body: { name: way } })).status).toBe(200);
    },
    60_000,
  );

  it('of the ledger is missing is degraded if its workers share the ledger, as their metrics say', async () => {
    const operator = await connect(server.url);
    await operator.query('create database shared');
    const url = Object.assign(new URL(server.url), { pathname: '/shared' });
    const gateway = await serveStore(url.href, {
      args: ['--workers', '2'],
      files: { 'gateway.json': { metrics: true } },
    });
    expect(gateway.printed().match(/Files are kept in /g)).toHaveLength(1);
    const { key } = await makeKey(gateway, 'known');
    const owner = await connect(url.href);
    const headers = { 'x-gw-api-key': adminKey };
    const shown = async (): Promise<unknown> => (await fetch(`${gateway.origin}/readyz`, { headers })).json();
    const parts = async () => toLines(await readMetrics(gateway.origin, headers), 'gatewright_store_parts_unavailable');
    const none = { '{part="store"}': 0, '{part="writes"}': 0, '{part="counters"}': 0, '{part="log"}': 0 };
    expect(await parts()).toEqual({ ...none, '{part="ledger"}': 0 });
    await owner.query('alter table ledger_postings rename to kept');
    expect((await chat(gateway, { key })).status).toBe(200);
    await expect
      .poll(shown, { timeout: 20_000 })
      .toMatchObject({ status: 'degraded', store: { ledger_failure: expect.stringMatching(/does not exist/) } });
    expect(await parts()).toMatchObject({ '{part="ledger"}': 1 });
    await owner.query('alter table kept rename to ledger_postings');
    await expect.poll(shown, { timeout: 20_000 }).toMatchObject({ status: 'ready' });
    expect(await parts()).toEqual({ ...none, '{part="ledger"}': 0 });
  }, 90_000);

  it('of limits cannot be read is degraded, because changes of limits are not followed', async () => {
    const operator = await connect(server.url);
    await operator.query('create role reader login');
    await operator.query('create database limits owner reader');
    const url = Object.assign(new URL(server.url), { pathname: '/limits' });
    const gateway = await serveStore(Object.assign(new URL(url), { username: 'reader' }).href);
    const owner = await connect(url.href);
    await owner.query('alter table policies owner to gateway');
    await owner.query("update feeds set version = version + 1 where name = 'policies'");
    await owner.query(
      "insert into limit_versions (tenant, version) select '*', version from feeds where name = 'policies'",
    );
    const shown = async (): Promise<unknown> =>
      (await fetch(`${gateway.origin}/readyz`, { headers: { 'x-gw-api-key': adminKey } })).json();
    const failure = expect.stringMatching(/permission denied for table policies/);
    await expect.poll(shown).toMatchObject({ status: 'degraded', store: { status: 'away', read_failure: failure } });
    await owner.query('alter table policies owner to reader');
    await expect.poll(shown).toMatchObject({ status: 'ready' });
  }, 60_000);
});
