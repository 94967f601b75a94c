import { describe, expect, it, onTestFinished } from 'vitest';
import { patience } from '../../support/patience.ts';
import { readMetrics, toLines } from '../../support/read-metrics.ts';
import { adminKey } from '../../support/stored-gateway.ts';
import { secret, started, states } from '../alerts/support/receivers.ts';
import {
  ask as askOnce,
  receivedRecords,
  serveSinks,
  sinkStatus,
  startReceiver,
} from '../sinks/support/sent-records.ts';
import { workersOf } from './worker-processes.ts';

/** Sends requests one after the other until it is stopped; gives the traces of those that were answered. */
const keepAsking = (gateway: Parameters<typeof askOnce>[0]): { readonly traces: string[]; stop(): Promise<void> } => {
  const traces: string[] = [];
  let isOver = false;
  const ask = async (): Promise<void> => {
    while (!isOver) {
      // One whose worker is killed meanwhile has no answer.
      const trace = await askOnce(gateway).catch(() => undefined);
      if (trace !== undefined) traces.push(trace);
    }
  };
  const asking = Promise.all(Array.from({ length: 4 }, ask));
  return {
    traces,
    stop: async () => {
      isOver = true;
      await asking;
    },
  };
};

describe('the sinks of the log of several workers', () => {
  it('have each record once, while all workers are replaced one by one', async () => {
    const receiver = await startReceiver();
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }], { settings: { workers: 3 } });
    const before = workersOf(gateway);
    const { traces, stop } = keepAsking(gateway);
    await expect.poll(() => receivedRecords(receiver).length, patience).toBeGreaterThan(20);
    gateway.signal('SIGUSR2');
    await expect.poll(() => gateway.printed(), patience).toContain('All workers were replaced.');
    await stop();
    expect(workersOf(gateway).filter((pid) => before.includes(pid))).toEqual([]);
    await expect.poll(() => receivedRecords(receiver).length, patience).toBe(traces.length);
    expect(new Set(receivedRecords(receiver).map(({ trace_id }) => trace_id))).toEqual(new Set(traces));
    expect(await sinkStatus(gateway)).toMatchObject([{ delivered: traces.length, waiting: 0, dropped: 0 }]);
  });

  it('lose of a killed worker only what it had not handed over, and have nothing twice', async () => {
    const receiver = await startReceiver();
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }], { settings: { workers: 2 } });
    const { traces, stop } = keepAsking(gateway);
    await expect.poll(() => receivedRecords(receiver).length, patience).toBeGreaterThan(20);
    const handedOver = receivedRecords(receiver).map(({ trace_id }) => trace_id);
    const [killed = 0] = workersOf(gateway);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => workersOf(gateway).filter((pid) => pid !== killed).length, patience).toBe(2);
    const known = traces.length;
    await expect.poll(() => traces.length, patience).toBeGreaterThan(known + 20);
    await stop();
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ waiting: 0, dropped: 0 }]);
    const received = receivedRecords(receiver).map(({ trace_id }) => trace_id);
    await expect
      .poll(() => receivedRecords(receiver).map(({ trace_id }) => trace_id), patience)
      .toEqual(expect.arrayContaining(traces.slice(-20)));
    expect(new Set(received).size).toBe(received.length);
    expect(received).toEqual(expect.arrayContaining(handedOver));
  });

  it('are one for metrics, which have their counts once, and for alerts of what they lose', async () => {
    const plugin = `export default {
      name: 'small-sink',
      api: 1,
      sinks: [{
        id: 'small',
        options: { type: 'object', properties: {} },
        batch: { items: 4, batchItems: 1, gatherMs: 10 },
        create: () => ({ send: async () => ({ kind: 'again', reason: 'It takes nothing.' }) }),
      }],
    };`;
    const pager = await started();
    onTestFinished(() => pager.close());
    const gateway = await serveSinks([{ sink: 'small', name: 'a "small" one' }], {
      settings: {
        ...{ workers: 2, metrics: true, plugins: [{ package: './small.mjs' }] },
        alerts: { to: [{ webhook: pager.origin, secret: '${env:ALERTS_SECRET}', on: ['records.dropped'] }] },
      },
      env: { ALERTS_SECRET: secret },
      files: { 'small.mjs': plugin },
    });
    await Promise.all(Array.from({ length: 20 }, () => askOnce(gateway)));
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ waiting: 1, dropped: 19 }]);
    const lines = await readMetrics(gateway.origin, { 'x-gw-api-key': adminKey });
    expect(toLines(lines, 'gatewright_log_sink_records_total')).toMatchObject({
      '{sink="a \\"small\\" one",result="dropped"}': 19,
    });
    expect(toLines(lines, 'gatewright_log_sink_records_waiting')).toEqual({ '{sink="a \\"small\\" one"}': 1 });
    await expect.poll(() => states(pager), patience).toContain('records.dropped once');
    const said = (): string[] => gateway.printed().match(/The sink "a "small" one" of the log/g) ?? [];
    await expect.poll(said, patience).not.toEqual([]);
    expect(said()).toHaveLength(1);
  });
});
