import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { steadyLoad } from '../../support/gateways/steady-load.ts';
import {
  callControl,
  chat,
  chatUpstream,
  makeKey,
  saveChat,
  serveStore,
} from '../../support/gateways/stored-gateway.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';

const programs = postgresFolder();

describe('gateways that start at the same time', () => {
  it('on one new SQLite file: one serves it, and the other is refused with a message', async () => {
    const folder = temporaryFolder();
    const options = { folder, unset: ['GW_MASTER_KEY', 'GW_ADMIN_KEY'] };
    const started = await Promise.allSettled([0, 1].map(() => serveStore('gateway.db', options)));
    const serving = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refused = started.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []));
    expect(serving).toHaveLength(1);
    for (const text of refused)
      expect(text).toMatch(
        /^The gateway ended with 1 before it listened:\ngw: The store \S+ is served by another process, and only one process at a time can serve it\. .*\n$/,
      );
    const key = readFileSync(path.join(folder, 'gateway.db.admin-key'), 'utf8').trim();
    for (const gateway of serving) expect((await chat(gateway, { key })).status).toBe(200);
  });

  it.runIf(programs !== undefined)('on one new PostgreSQL: both serve it, with one admin key', async () => {
    const server = await startPostgres(programs ?? '');
    onTestFinished(() => server.stop());
    const gateways = await Promise.all([0, 1].map(() => serveStore(server.url, { unset: ['GW_ADMIN_KEY'] })));
    const withKey = gateways.filter(({ printed }) => printed().includes('The first admin key of this store'));
    expect(withKey).toHaveLength(1);
    const key = readFileSync(path.join(withKey[0]?.folder ?? '', 'gateway.admin-key'), 'utf8').trim();
    for (const gateway of gateways) await expect.poll(async () => (await chat(gateway, { key })).status).toBe(200);
  });
});

describe('an SQLite file that another program writes for a long time', () => {
  it('fails no known request, and any number of writes is refused within a time limit', async () => {
    const folder = temporaryFolder();
    const gateway = await serveStore('gateway.db', { folder });
    const upstream = await chatUpstream();
    const { key } = await makeKey(gateway, 'known');
    const config = await saveChat(gateway, { upstream, slug: 'known', credential: 'sk' });
    await expect.poll(async () => (await chat(gateway, { key, config })).status).toBe(200);
    const other = new DatabaseSync(path.join(folder, 'gateway.db'));
    onTestFinished(() => other.close());
    const load = steadyLoad(() => chat(gateway, { key, config }));
    other.exec('begin immediate');
    const signal = AbortSignal.timeout(12_000);
    const body = { name: 'x', config: { provider: 'echo' } };
    const tries = Array.from({ length: 8 }, () => callControl(gateway, 'POST /configs', { body, signal }));
    const statuses = Promise.all(tries).then((answers) => answers.map(({ status }) => status));
    const reading = Promise.all([callControl(gateway, 'GET /configs'), callControl(gateway, 'GET /logs')]);
    // Neither of them waits for the lock.
    expect(await Promise.race([statuses, reading])).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await statuses).toEqual(tries.map(() => 503));
    other.exec('rollback');
    await expect.poll(async () => (await callControl(gateway, 'POST /configs', { body })).status).toBe(200);
    await load.end();
    expect(load.failures()).toEqual([]);
  });
});

describe.runIf(programs !== undefined)('a PostgreSQL without a free connection', () => {
  it('fails no known request, and answers 503 to whatever needs the store until a connection is free', async () => {
    const server = await startPostgres(programs ?? '', ['max_connections=20', 'superuser_reserved_connections=0']);
    onTestFinished(() => server.stop());
    const gateway = await serveStore(server.url);
    const upstream = await chatUpstream();
    const { key } = await makeKey(gateway, 'known');
    const config = await saveChat(gateway, { upstream, slug: 'known', credential: 'sk' });
    expect((await chat(gateway, { key, config })).status).toBe(200);
    const load = steadyLoad(() => chat(gateway, { key, config }));

    const others: pg.Client[] = [];
    const end = (): Promise<unknown> => Promise.all(others.splice(0).map((client) => client.end().catch(() => {})));
    onTestFinished(async () => void (await end()));
    const connect = async (): Promise<boolean> => {
      const client = new pg.Client(server.url);
      client.on('error', () => {});
      try {
        await client.connect();
        others.push(client);
        return true;
      } catch {
        return false;
      }
    };
    while (await connect());
    // The gateway's own connections end too, and others take their slots, until it has none.
    const ended = async (): Promise<number> => {
      const own = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatewright'";
      const { rowCount } = (await others[0]?.query(own)) ?? {};
      let free = 0;
      while (free < 5) free = (await connect()) ? 0 : free + 1;
      return rowCount ?? 0;
    };
    while ((await ended()) > 0);

    const refused = await callControl(gateway, 'POST /configs', { body: { name: 'x', config: { provider: 'echo' } } });
    expect(refused.status).toBe(503);
    await expect(serveStore(server.url)).rejects.toThrow(/\ngw: The store postgres:\/\/\S+ cannot be used: .*\n$/);
    await end();
    await expect
      .poll(
        async () =>
          (await callControl(gateway, 'POST /configs', { body: { name: 'x', config: { provider: 'echo' } } })).status,
      )
      .toBe(200);
    await load.end();
    expect(load.failures()).toEqual([]);
  });
});
