import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../../../../plugins/control/kernel/store/migrations/migrations.ts';
import { type OpenStoreOptions, openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import { importPg } from '../../../../../plugins/control/kernel/store/postgres/pool.ts';
import { type Store, StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { readMakeStore, readMigrations } from '../../../../support/gateways/older-store.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';
import { testStore } from './store-contract.ts';
import { startProxy } from './tcp-proxy.ts';

const programs = postgresFolder();

describe.runIf(programs !== undefined)('a store in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterAll(() => server.stop());

  const opened = async (options: Partial<OpenStoreOptions> = {}): Promise<Store> => {
    const store = await openStore({ url: server.url, ...options });
    onTestFinished(() => store.close());
    return store;
  };

  /** Opens a store whose server can be cut off or frozen. */
  const openedThroughProxy = async () => {
    const proxy = await startProxy(Number(new URL(server.url).port));
    onTestFinished(() => proxy.close());
    const url = new URL(server.url);
    url.port = String(proxy.port);
    const store = await opened({ url: url.href, timeouts: { connect: 1000, statement: 1000 } });
    return { proxy, store };
  };

  testStore({ open: () => openStore({ url: server.url }), notifies: true });

  it('loses no increment that several processes make at once', async () => {
    const stores = await Promise.all([opened(), opened(), opened()]);
    const before = (await stores[0].versions()).policies;
    const increment = (store: Store): Promise<unknown> =>
      store.write(async (writing) => {
        const query = writing.selectFrom('feeds').selectAll().where('name', '=', 'policies');
        const { version } = await query.executeTakeFirstOrThrow();
        await writing
          .updateTable('feeds')
          .set({ version: version + 1 })
          .where('name', '=', 'policies')
          .execute();
      });
    await Promise.all([...stores, ...stores, ...stores].map(increment));
    expect((await stores[0].versions()).policies).toBe(before + 9);
  });

  it('lets a long write succeed among a constant stream of short ones', async () => {
    const [store, other] = [await opened(), await opened()];
    let isOver = false;
    const short = Array.from({ length: 4 }, async () => {
      while (!isOver) await other.write((writing) => other.bump(writing, 'plans'));
    });
    let tries = 0;
    for (let left = 5; left > 0; left -= 1)
      await store.write(async (writing) => {
        tries += 1;
        for (let statements = 30; statements > 0; statements -= 1)
          await writing.selectFrom('feeds').selectAll().execute();
        await store.bump(writing, 'plans');
      });
    isOver = true;
    await Promise.all(short);
    expect(tries).toBe(5);
  });

  it('rejects a write that conflicts with others six times', async () => {
    const store = await opened();
    let tries = 0;
    const hindered = store.write(async () => {
      tries += 1;
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    await expect(hindered).rejects.toThrow(StoreError);
    expect(tries).toBe(6);
  });

  it('is created once if several processes start at the same time', async () => {
    const store = await opened();
    await store.write(async (writing) => {
      await writing.schema.dropSchema('public').cascade().execute();
      await writing.schema.createSchema('public').execute();
    });
    const stores = await Promise.all(Array.from({ length: 5 }, () => opened()));
    for (const each of stores) expect(await each.versions()).toEqual({ keys: 0, plans: 0, policies: 0 });
  });

  describe('of an earlier version', () => {
    const timeouts = { connect: 1000, statement: 400 };
    let databases = 0;

    /** Creates a database with such a store, and returns its URL and a function that opens a connection to it. */
    const createOlderStore = async () => {
      databases += 1;
      const url = new URL(server.url);
      url.pathname = `/older_${databases}`;
      const pg = await importPg();
      const connect = async (to = url.href) => {
        const client = new pg.Client(to);
        await client.connect();
        onTestFinished(() => client.end());
        return client;
      };
      await (await connect(server.url)).query(`create database older_${databases}`);
      await readMakeStore(url.href, 16, []);
      return { url: url.href, connect };
    };

    it('waits for another process that brings it up to date, longer than for a statement, and reports that', async () => {
      const { url, connect } = await createOlderStore();
      const other = await connect();
      await other.query(`begin; select pg_advisory_xact_lock(${0x67777374})`);
      const said: string[] = [];
      const opening = opened({ url, timeouts, say: (text) => said.push(text) });
      await expect.poll(() => said.join()).toContain('This one waits for it, for 10 minutes');
      await other.query('commit');
      await opening;
      expect(await readMigrations(url)).toHaveLength(migrations.length);
    });

    it('is refused with the reason if its tables are in use for too long, and is brought up to date later', async () => {
      const { url, connect } = await createOlderStore();
      const dump = await connect();
      await dump.query('begin; lock table keys, providers in access share mode');
      await expect(openStore({ url, timeouts })).rejects.toThrow(
        /^The tables of the store \S+ cannot be brought up to date, because another connection, .+ has been using them /,
      );
      expect(await readMigrations(url)).toHaveLength(16);
      await dump.query('commit');
      await opened({ url, timeouts });
      expect(await readMigrations(url)).toHaveLength(migrations.length);
    });

    it('is brought up to date even if it waits for a process that waits for it', async () => {
      const { url, connect } = await createOlderStore();
      const [other, observer] = [await connect(), await connect()];
      await other.query(`set deadlock_timeout = '10s'; begin; lock table idempotency in row exclusive mode`);
      const opening = opened({ url, timeouts: { connect: 1000, statement: 10_000 } });
      await expect
        .poll(async () => (await observer.query('select 1 from pg_locks where not granted')).rowCount)
        .toBeGreaterThan(0);
      await other.query('select count(*) from responses; commit');
      await opening;
      expect(await readMigrations(url)).toHaveLength(migrations.length);
    });
  });

  it('rejects a job whose thread exits, and runs the next one', async () => {
    const store = await opened();
    const bytes = Buffer.from('after the end');
    await expect(store.perform(new URL('exiting-job.ts', import.meta.url), bytes)).rejects.toThrow(StoreError);
    await store.perform(new URL('remembering-job.ts', import.meta.url), bytes);
    const rows = await store.db.selectFrom('settings').select('value').where('name', '=', 'after the end').execute();
    expect(rows).toEqual([{ value: '0' }]);
  });

  it('refuses to write a backup, and recommends pg_dump', async () => {
    const store = await opened();
    await expect(store.backup('/tmp/backup.sql')).rejects.toThrow('Use pg_dump.');
  });

  it('is refused if nothing listens at its address, with a message without the password', async () => {
    const refused = openStore({ url: 'postgres://gateway:hunter2@127.0.0.1:1/gateway' });
    await expect(refused).rejects.toThrow(StoreError);
    await expect(refused).rejects.toThrow('The store postgres://127.0.0.1:1/gateway cannot be used: ');
    await expect(refused).rejects.not.toThrow('hunter2');
  });

  it('reports that a statement took too long, and where to find out why', async () => {
    const store = await opened({ timeouts: { connect: 1000, statement: 300 } });
    const other = await opened();
    await other.write(async (writing) => {
      await sql`lock table keys in access exclusive mode`.execute(writing);
      await expect(store.db.selectFrom('keys').selectAll().execute()).rejects.toThrow(
        /^The store \S+ cannot be used: canceling statement due to statement timeout\. Find out in pg_stat_activity /,
      );
    });
  });

  it('is refused on a server that accepts only reads, with advice', async () => {
    const url = new URL(server.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    await expect(openStore({ url: url.href })).rejects.toThrow(/\. Name the primary server in the URL of the store\.$/);
  });

  it('rejects while its server is unavailable, and works again when the server is back', async () => {
    const { proxy, store } = await openedThroughProxy();
    let calls = 0;
    const stop = store.watch(() => {
      calls += 1;
    });
    onTestFinished(stop);
    const lost = store.write(async (writing) => {
      await store.bump(writing, 'keys');
      proxy.cut();
      await store.bump(writing, 'keys');
    });
    await expect(lost).rejects.toThrow(
      /^The store \S+ cannot be used: The connection to PostgreSQL has ended unexpectedly\. Check that /,
    );
    await expect(store.versions()).rejects.toThrow(StoreError);
    await expect(store.write((writing) => store.bump(writing, 'keys'))).rejects.toThrow(StoreError);
    proxy.mend();
    const before = await store.versions();
    await store.write((writing) => store.bump(writing, 'keys'));
    expect((await store.versions()).keys).toBe(before.keys + 1);
    await expect.poll(() => calls).toBeGreaterThan(0);
  });

  it('rejects in time and can be closed while its server is frozen, and works again over new connections', async () => {
    const { proxy, store } = await openedThroughProxy();
    await Promise.all(Array.from({ length: 4 }, () => store.versions()));
    proxy.freeze();
    const began = performance.now();
    const queries = Array.from({ length: 20 }, () => store.versions());
    const results = await Promise.allSettled(queries);
    const texts = results.map((result) => (result.status === 'rejected' ? String(result.reason) : ''));
    const silence =
      /^StoreError: The store \S+ cannot be used: PostgreSQL has not (?:answered a statement|accepted a connection) in time\. /;
    expect(texts).toEqual(queries.map(() => expect.stringMatching(silence)));
    expect(performance.now() - began).toBeLessThan(5000);
    const { store: other, proxy: frozen } = await openedThroughProxy();
    frozen.freeze();
    await other.close();
    proxy.mend();
    expect(await store.versions()).toMatchObject({ plans: expect.any(Number) });
  });
});
