import { expect, it } from 'vitest';
import type { FinishedRequest } from '../../../../plugins/control/logs/record/finished-request.ts';
import type { LogStore } from '../../../../plugins/control/logs/store/log-store.ts';
import { openLogStore } from '../../../../plugins/control/logs/store/open-log-store.ts';
import { type LogWriter, startLogWriter } from '../../../../plugins/control/logs/writer/log-writer.ts';
import { newId } from '../../../../plugins/control/store/new-id.ts';
import { StoreError } from '../../../../plugins/control/store/store.ts';
import { systemClock } from '../../../../runtime/memory/system-clock.ts';
import { describeLogs } from './support/log-stores.ts';

/** Of `broken` no record can be made, and the one of `refused` is taken by no database. */
const request = (workspace: string): FinishedRequest => ({
  id: newId(Date.now()),
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

interface Started {
  readonly writer: LogWriter;
  readonly said: readonly string[];
}

const start = async (open: () => Promise<LogStore>): Promise<Started> => {
  const said: string[] = [];
  const writer = await startLogWriter({
    open,
    seal: async () => null,
    kept: { days: 30, bytes: 2 ** 30 },
    clock: systemClock,
    say: (text) => said.push(text),
    mostWaiting: 50,
  });
  return { writer, said };
};

describeLogs('the writer of the log', (log) => {
  const count = async (workspace: string): Promise<number> => {
    const rows = await log()
      .store.db.selectFrom('log_records')
      .select('id')
      .where('workspace_id', '=', workspace)
      .execute();
    return rows.length;
  };

  it('drops what is too much while the log cannot be written, tells it, and goes on afterwards', async () => {
    const { store, postgres } = log();
    let isAway = false;
    // A file cannot be frozen: what would freeze it ends its statements.
    const own: LogStore = {
      ...store,
      perform: (job, text) =>
        isAway && postgres === undefined
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
    isAway = true;
    postgres?.freeze();
    add(200);
    expect(writer.status()).toMatchObject({ waiting: 50, dropped: 150 });
    await expect.poll(() => said.join('')).toContain('gw: The log has dropped 150 records');
    await expect.poll(() => writer.status().isAway).toBe(true);
    expect(said.join('')).toMatch(/gw: The log cannot be written: .* Requests are served without it/);
    isAway = false;
    postgres?.thaw();
    await expect.poll(() => writer.status()).toEqual({ isAway: false, waiting: 0, dropped: 150 });
    expect(said.at(-1)).toBe('gw: The log is written again.\n');
    add(10);
    await expect.poll(() => count('kept')).toBe(80);
    await writer.close();
  });

  it('writes what waits when it is closed, and drops only what no record can be made of', async () => {
    const { url, store } = log();
    const { writer } = await start(async () => ({ ...store, close: async () => {} }));
    for (const workspace of ['last', 'broken', 'last', 'refused', 'last']) writer.add(request(workspace));
    await writer.close();
    expect(url).not.toBe('');
    expect(await count('last')).toBe(3);
    expect(writer.status()).toMatchObject({ waiting: 0, dropped: 2 });
    writer.add(request('last'));
    expect(writer.status().dropped).toBe(3);
  });

  it('loses nothing where the log goes away while records are written one by one', async () => {
    const { store } = log();
    let calls = 0;
    // Of all at once, the first try is refused; then four are written by themselves before it goes away once.
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

  it('serves without a log that cannot be opened, and says so', async () => {
    const { writer, said } = await start(() => openLogStore('/nowhere/at/all/gateway.db'));
    expect(said.join('')).toMatch(/^gw: The log cannot be written: .*folder that does not exist.* Requests are served/);
    expect(() => writer.store()).toThrow(StoreError);
    writer.add(request('nobody'));
    expect(writer.status()).toEqual({ isAway: true, waiting: 1, dropped: 0 });
    await writer.close();
  });
});
