import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../../../plugins/control/kernel/store/open/open-store.ts';
import { StoreError } from '../../../../../../plugins/control/kernel/store/store.ts';
import { postgresFolder, startPostgres } from '../../../../../support/servers/postgres-server.ts';

const programs = postgresFolder();

it.runIf(programs !== undefined)(
  'a store whose user may open fewer connections than its pool shares those that it has, and fails only without any',
  async () => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    const admin = new pg.Client(server.url);
    await admin.connect();
    onTestFinished(() => admin.end());
    await admin.query('create role app login connection limit 2');
    await admin.query('create database app owner app');
    const url = Object.assign(new URL(server.url), { username: 'app', pathname: '/app' }).href;
    const store = await openStore({ url });
    onTestFinished(() => store.close());
    const read = () => sql`select pg_sleep(0.05)`.execute(store.db);
    const countTried = (): number => server.printed().split('too many connections for role').length - 1;
    const begun = performance.now();
    expect(await Promise.allSettled(Array.from({ length: 60 }, read))).toEqual(
      Array.from({ length: 60 }, () => expect.objectContaining({ status: 'fulfilled' })),
    );
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    // Each tries once at first. Then a few do in each second, however many wait.
    expect(countTried()).toBeLessThan(60 + 20 * seconds);

    await admin.query('alter role app connection limit 0');
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'");
    await expect
      .poll(() => read().catch(String))
      .toMatch(/cannot be used: too many connections for role "app"\. Raise/);
    await expect(read()).rejects.toThrow(StoreError);
  },
);
