import { expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../../../plugins/control/kernel/store/store.ts';
import type { FinishedRequest } from '../../../../plugins/control/logs/encoding/noted-request.ts';
import type { WithBodies } from '../../../../plugins/control/logs/writer/log-job.ts';
import type { LogStore } from '../../../../plugins/control/logs/writer/log-store.ts';
import { LogWriter, type LogWriterOptions } from '../../../../plugins/control/logs/writer/log-writer.ts';
import { openLogStore } from '../../../../plugins/control/logs/writer/open-log-store.ts';
import type { Clock } from '../../../../plugins/sdk/clock.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { describeLogs } from './support/log-stores.ts';

/** No record can be created for the workspace `broken`, and no database accepts the record of `refused`. */
const request = (workspace: string): FinishedRequest => ({
  at: Date.now(),
  line: {
    ...{ trace: 't', seed: 1, plan: null, route: 'POST /v1/x', end: 'complete', ms: 1 },
    status: workspace === 'refused' ? Number.NaN : 200,
    trail: [],
    ...(workspace === 'broken'
      ? { metadata: Object.defineProperty({}, 'team', { enumerable: true, get: broken }) }
      : {}),
  },
  ...{
    organisation: 'o',
    workspace,
    operation: 'converse',
    problem: undefined,
    plan: undefined,
    leaf: undefined,
    prompt: undefined,
  },
  ...{ requestedModel: undefined, judged: [], headers: [], errorBody: undefined },
  ...{ callerSecrets: [], bodies: undefined },
});

const broken = (): never => {
  throw new Error('This request makes no record.');
};

/** The writer waits seconds before it retries. With this clock, its timers run ten times as fast. */
const fastClock: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms / 10, run) };

interface Started {
  readonly writer: LogWriter;
  readonly said: readonly string[];
}

const start = async (open: () => Promise<LogStore>, options: Partial<LogWriterOptions> = {}): Promise<Started> => {
  const said: string[] = [];
  const writer = await new LogWriter({
    open,
    seal: async () => null,
    kept: { days: 30, bytes: 2 ** 30 },
    clock: fastClock,
    say: (text) => said.push(text),
    maxWaiting: 50,
    ...options,
  }).start();
  return { writer, said };
};

describeLogs('the log writer', (log) => {
  const count = async (workspace: string): Promise<number> => {
    const rows = await log()
      .store.db.selectFrom('log_records')
      .select('id')
      .where('workspace_id', '=', workspace)
      .execute();
    return rows.length;
  };

  it('drops and reports records beyond its limit while the log cannot be written, and resumes afterwards', async () => {
    const { store, postgres } = log();
    let isUnavailable = false;
    // A file cannot be frozen: anything that would freeze it makes its statements fail.
    const own: LogStore = {
      ...store,
      perform: (job, text) =>
        isUnavailable && postgres === undefined
          ? Promise.reject(new StoreError('The disk is full.'))
          : store.perform(job, text),
      close: async () => {},
    };
    const { writer, said } = await start(async () => own);
    const add = (many: number): void => {
      for (let at = 0; at < many; at += 1) writer.add(request('kept'));
    };
    add(20);
    await expect.poll(() => count('kept')).toBe(20);
    // The rows are there before the writer knows it.
    await expect.poll(() => writer.status().waiting).toBe(0);
    isUnavailable = true;
    onTestFinished(() => postgres?.thaw());
    postgres?.freeze();
    add(200);
    expect(writer.status()).toMatchObject({ waiting: 50, dropped: 150 });
    await expect.poll(() => said.join('')).toContain('gw: The log has dropped 150 records');
    await expect.poll(() => writer.status().isUnavailable).toBe(true);
    expect(said.join('')).toMatch(/gw: The log cannot be written: .* Requests are served without it/);
    isUnavailable = false;
    postgres?.thaw();
    await expect.poll(() => writer.status()).toEqual({ isUnavailable: false, waiting: 0, dropped: 150 });
    expect(said.at(-1)).toBe('gw: The log is written again.\n');
    add(10);
    await expect.poll(() => count('kept')).toBe(80);
    await writer.close();
  });

  it('writes what waits when it is closed, and drops only records that cannot be created or stored', async () => {
    const { url, store } = log();
    const { writer, said } = await start(async () => ({ ...store, close: async () => {} }));
    for (const workspace of ['last', 'broken', 'last', 'refused', 'last']) writer.add(request(workspace));
    await writer.close();
    expect(url).not.toBe('');
    expect(await count('last')).toBe(3);
    expect(writer.status()).toMatchObject({ waiting: 0, dropped: 2 });
    expect(said.join('')).toMatch(
      /^gw: The log has dropped 2 records \(2 in total\), because it does not accept them: .*(NOT NULL|NaN|null).*\n$/,
    );
    writer.add(request('last'));
    expect(writer.status().dropped).toBe(3);
  });

  it('loses nothing if the log becomes unavailable while records are written one by one', async () => {
    const { store } = log();
    let calls = 0;
    // The first call, with all records, is refused. Then four are written singly before the log is unavailable once.
    const own: LogStore = {
      ...store,
      perform: (job, text) => {
        calls += 1;
        if (calls === 6) return Promise.reject(new StoreError('The disk is full.'));
        return calls === 1 ? Promise.reject(new Error('A record is absurd.')) : store.perform(job, text);
      },
      close: async () => {},
    };
    const { writer } = await start(async () => own);
    for (let at = 0; at < 10; at += 1) writer.add(request('one by one'));
    await expect.poll(() => writer.status().waiting).toBe(0);
    expect(await count('one by one')).toBe(10);
    expect(writer.status()).toMatchObject({ dropped: 0 });
    await writer.close();
  });

  it('stores the sealed bodies of each request, even if one record cannot be written with the others', async () => {
    const { store } = log();
    const seal = async ({ bodies, workspace }: WithBodies): Promise<string | null> =>
      bodies.request === undefined ? null : JSON.stringify(`${workspace} ${bodies.request.length}`);
    const { writer } = await start(async () => ({ ...store, close: async () => {} }), { seal });
    const bodies = (length: number) => ({ request: Buffer.alloc(length), response: undefined });
    for (const length of [1, 2]) writer.add({ ...request('sealed'), bodies: bodies(length) });
    writer.add({ ...request('sealed'), bodies: { request: undefined, response: Buffer.from('…') } });
    writer.add({ ...request('refused'), bodies: bodies(3) });
    writer.add(request('sealed'));
    await writer.close();
    const rows = await store.db
      .selectFrom('log_records')
      .leftJoin('log_bodies', 'log_bodies.number', 'log_records.number')
      .select('log_bodies.bodies')
      .where('workspace_id', '=', 'sealed')
      .orderBy('log_records.id')
      .execute();
    expect(rows.map((row) => row.bodies)).toEqual(['"sealed 1"', '"sealed 2"', null, null]);
    expect(writer.status()).toMatchObject({ waiting: 0, dropped: 1 });
  });

  it('drops only records that exceed the number of bytes that may wait', async () => {
    const { store } = log();
    const { promise: opened, resolve: open } = Promise.withResolvers<LogStore>();
    let tries = 0;
    // The second attempt opens it, some time later.
    const away = async (): Promise<LogStore> => {
      tries += 1;
      if (tries === 1) throw new StoreError('The disk is full.');
      return opened;
    };
    const { writer } = await start(away, { maxBytes: 10_000 });
    const large = { request: new Uint8Array(6000), response: undefined };
    for (let at = 0; at < 3; at += 1) writer.add({ ...request('bytes'), bodies: large });
    for (let at = 0; at < 10; at += 1) writer.add(request('bytes'));
    writer.add({ ...request('bytes'), line: { ...request('bytes').line, trace: 't'.repeat(4000) } });
    expect(writer.status()).toMatchObject({ waiting: 11, dropped: 3 });
    open({ ...store, close: async () => {} });
    await expect.poll(() => writer.status().waiting).toBe(0);
    expect(await count('bytes')).toBe(11);
    await writer.close();
  });

  it('hands over all batches in the same memory', async () => {
    const { store } = log();
    const memories = new Set<ArrayBufferLike>();
    const own: LogStore = {
      ...store,
      perform: (job, bytes) => {
        memories.add(bytes.buffer);
        return store.perform(job, bytes);
      },
      close: async () => {},
    };
    const { writer } = await start(async () => own);
    for (let batch = 1; batch <= 4; batch += 1) {
      for (let at = 0; at < 10; at += 1) writer.add(request('memory'));
      await expect.poll(() => count('memory')).toBe(batch * 10);
      await expect.poll(() => writer.status().waiting).toBe(0);
    }
    expect(memories.size).toBe(1);
    expect([...memories]).toEqual([expect.any(SharedArrayBuffer)]);
    await writer.close();
  });

  it('keeps running if the log cannot be opened, and reports this', async () => {
    const { writer, said } = await start(() => openLogStore('/nowhere/at/all/gateway.db'));
    expect(said.join('')).toMatch(/^gw: The log cannot be written: .*folder that does not exist.* Requests are served/);
    expect(() => writer.store()).toThrow(StoreError);
    writer.add(request('nobody'));
    expect(writer.status()).toEqual({ isUnavailable: true, waiting: 1, dropped: 0 });
    await writer.close();
  });

  it('opens the log later, also if no record is waiting', async () => {
    const { store } = log();
    let tries = 0;
    const { writer, said } = await start(async () => {
      tries += 1;
      if (tries < 3) throw new StoreError('The log is locked.');
      return { ...store, close: async () => {} };
    });
    expect(writer.status().isUnavailable).toBe(true);
    await expect.poll(() => writer.status().isUnavailable, { timeout: 5000 }).toBe(false);
    expect(said.at(-1)).toBe('gw: The log is written again.\n');
    await writer.close();
    expect(tries).toBe(3);
  });

  it('reports the records that are lost because the log is locked until it is closed', async () => {
    const { promise: closed, reject: refuse } = Promise.withResolvers<never>();
    const own: LogStore = {
      ...log().store,
      perform: () => closed,
      close: async () => refuse(new StoreError('The log is locked.')),
    };
    const { writer, said } = await start(async () => own);
    for (let at = 0; at < 3; at += 1) writer.add(request('locked'));
    await writer.close();
    expect(said.at(-1)).toBe(
      'gw: The log has dropped 3 records (3 in total), because it cannot be written: The log is locked.\n',
    );
  });

  it('reports the records that are lost because the log is still being opened when it is closed', async () => {
    let tries = 0;
    const { writer, said } = await start(() => {
      tries += 1;
      return tries === 1 ? Promise.reject(new StoreError('The log is locked.')) : new Promise(() => {});
    });
    writer.add(request('locked'));
    await expect.poll(() => tries).toBe(2);
    await writer.close();
    expect(said.at(-1)).toBe(
      'gw: The log has dropped 1 records (1 in total), because it cannot be written: The log is locked.\n',
    );
  });
});
