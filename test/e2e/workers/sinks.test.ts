import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { secret, started, states } from '../alerts/support/receivers.ts';
import {
  ask as askOnce,
  receivedRecords,
  serveSinks,
  sharedReceiver,
  sharedSinks,
  sinkStatus,
} from '../sinks/support/sent-records.ts';
import { workersOf } from './worker-processes.ts';

const workers = 2;

/** The receiver of the sink's records. */
const receiver = sharedReceiver();
const serving = sharedSinks(() => ({
  ...{ settings: { workers }, sinks: [{ sink: 'webhook', url: receiver().origin }] },
}));

/** Returns the traces of the records that the receiver has, without earlier ones. */
const receivedTraces = (before: ReadonlySet<string> = new Set()): string[] =>
  receivedRecords(receiver())
    .map(({ trace_id }) => String(trace_id))
    .filter((trace) => !before.has(trace));

/** Sends requests one after the other until stopped. Collects the traces of those that were answered. */
const keepAsking = (gateway: Parameters<typeof askOnce>[0]): { readonly traces: string[]; stop(): Promise<void> } => {
  const traces: string[] = [];
  let isOver = false;
  const ask = async (): Promise<void> => {
    while (!isOver) {
      // A request whose worker is killed meanwhile has no answer.
      const trace = await askOnce(gateway).catch(() => undefined);
      if (trace !== undefined) traces.push(trace);
      await setTimeout(10);
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
  it('get each record once, even while all workers are replaced one by one', async () => {
    const gateway = serving();
    const known = new Set(receivedTraces());
    const before = workersOf(gateway);
    const { traces, stop } = keepAsking(gateway);
    await expect.poll(() => receivedTraces(known).length, patience).toBeGreaterThan(20);
    gateway.signal('SIGUSR2');
    await expect.poll(() => gateway.printed(), patience).toContain('All workers were replaced.');
    await stop();
    expect(workersOf(gateway).filter((pid) => before.includes(pid))).toEqual([]);
    await expect.poll(() => receivedTraces(known).length, patience).toBe(traces.length);
    expect(new Set(receivedTraces(known))).toEqual(new Set(traces));
    const delivered = known.size + traces.length;
    // The receiver has a record before its sender has the answer.
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ delivered, waiting: 0, dropped: 0 }]);
  });

  it('lose only the records that a killed worker had not handed over, and get none twice', async () => {
    const gateway = serving();
    const known = new Set(receivedTraces());
    const { traces, stop } = keepAsking(gateway);
    await expect.poll(() => receivedTraces(known).length, patience).toBeGreaterThan(20);
    const handedOver = receivedTraces(known);
    const [killed = 0] = workersOf(gateway);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => workersOf(gateway).filter((pid) => pid !== killed).length, patience).toBe(workers);
    const answered = traces.length;
    await expect.poll(() => traces.length, patience).toBeGreaterThan(answered + 20);
    await stop();
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ waiting: 0, dropped: 0 }]);
    await expect.poll(() => receivedTraces(known), patience).toEqual(expect.arrayContaining(traces.slice(-20)));
    const received = receivedTraces(known);
    expect(new Set(received).size).toBe(received.length);
    expect(received).toEqual(expect.arrayContaining(handedOver));
  });

  it('are one in metrics, where they are counted once, and in alerts about lost records', async () => {
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
        ...{ workers, metrics: true, plugins: [{ package: './small.mjs' }] },
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
