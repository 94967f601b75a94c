import { describe, expect, it } from 'vitest';
import { readMetrics, toLines } from '../../support/gateways/read-metrics.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { freePort } from '../../support/servers/free-port.ts';
import type { UpstreamCall } from '../../support/servers/upstream-server.ts';
import { lintMetrics } from '../../support/telemetry/lint-metrics.ts';
import { prometheusFamilies } from '../../support/telemetry/prometheus-families.ts';
import type { Logged } from '../logs/support/logged.ts';
import {
  ask,
  receivedRecords,
  receivedTraces,
  serveSinks,
  sinkStatus,
  startReceiver,
  waysToServe,
} from './support/sent-records.ts';

/** A sink with a short queue, of which a workspace may fill a quarter, for a receiver of arrays. */
const smallSink = `export default {
  name: 'small-sink',
  api: 1,
  sinks: [{
    id: 'small',
    options: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    batch: { items: 40, batchItems: 4, gatherMs: 50 },
    create: ({ url }, { http }) => ({
      async send(records, { cancellation }) {
        const body = '[' + records.map(({ json }) => json).join(',') + ']';
        const { status } = await http.send({ url, body, cancellation });
        return status < 300 ? { kind: 'delivered' } : { kind: 'again', reason: 'It answered ' + status + '.' };
      },
    }),
  }],
};`;

const sum = ({ waiting, delivered, dropped, refused, expired }: Logged): number =>
  waiting + delivered + dropped + refused + expired;

describe.each(waysToServe)('receivers that do not accept the log of %s', (_, ways, way) => {
  it.runIf(isSampled(0, way, 2))(
    'delay neither requests nor each other: records wait, and are sent when the receivers are back',
    async () => {
      let isBack = false;
      const held: UpstreamCall[] = [];
      const good = await startReceiver();
      const failing = await startReceiver((call) => {
        if (isBack) call.answer({ status: 200 });
        else if (failing.requests.length % 2 === 0) call.answer({ status: 500 });
        else call.answer({ status: 429, headers: { 'retry-after': '1' } });
      });
      const slow = await startReceiver((call) => {
        if (isBack) call.answer({ status: 200 });
        else held.push(call);
      });
      const away = await freePort();
      const gateway = await serveSinks(
        [
          ...[good, failing, slow].map(({ origin }, at) => ({
            ...{ sink: 'webhook', name: ['good', 'failing', 'slow'][at], url: origin },
          })),
          { sink: 'webhook', name: 'away', url: `http://127.0.0.1:${away}` },
        ],
        { settings: { metrics: true, ...ways } },
      );
      const traces: string[] = [];
      for (let sent = 0; sent < 40; sent += 1) traces.push(await ask(gateway));
      await expect.poll(() => receivedTraces(good, traces), patience).toEqual(traces);
      await expect
        .poll(() => sinkStatus(gateway), patience)
        .toMatchObject([
          { name: 'good', status: 'ready', delivered: 40, waiting: 0 },
          {
            name: 'failing',
            status: 'failing',
            reason: expect.stringMatching(/^It answered (?:500|429)\.$/),
            waiting: 40,
          },
          // It has not been slow for long enough to be given up.
          { name: 'slow', status: 'ready', waiting: 40 },
          {
            ...{ name: 'away', status: 'failing', waiting: 40, delivered: 0 },
            reason: `The receiver at 127.0.0.1:${away} could not be reached: the connection was refused.`,
          },
        ]);
      const lines = await readMetrics(gateway.origin, { 'x-gw-api-key': adminKey });
      expect(toLines(lines, 'gatewright_log_sink_records_waiting')).toEqual({
        '{sink="good"}': 0,
        '{sink="failing"}': 40,
        '{sink="slow"}': 40,
        '{sink="away"}': 40,
      });
      expect(toLines(lines, 'gatewright_log_sink_records_total')).toMatchObject({
        '{sink="good",result="delivered"}': 40,
        '{sink="away",result="dropped"}': 0,
      });
      const page = await fetch(`${gateway.origin}/metrics`, { headers: { 'x-gw-api-key': adminKey } });
      expect(lintMetrics(prometheusFamilies(await page.text()))).toEqual([]);
      isBack = true;
      for (const call of held) call.answer({ status: 200 });
      await expect
        .poll(async () => (await sinkStatus(gateway)).slice(0, 3), patience)
        .toMatchObject([{ delivered: 40 }, { status: 'ready', delivered: 40 }, { delivered: 40 }]);
      for (const receiver of [failing, slow])
        expect(new Set(receivedRecords(receiver).map(({ trace_id }) => trace_id))).toEqual(new Set(traces));
      const said = gateway
        .printed()
        .split('\n')
        .filter((line) => line.includes('The sink "failing"'));
      expect(said).toHaveLength(1);
    },
  );

  it.runIf(isSampled(1, way, 2))(
    'cause excess records to be dropped and counted, and one busy workspace leaves room for the others',
    async () => {
      const receiver = await startReceiver((call) => call.answer({ status: 503 }));
      const gateway = await serveSinks([{ sink: 'small', url: receiver.origin }], {
        settings: { plugins: [{ package: './small.mjs' }], ...ways },
        files: { 'small.mjs': smallSink },
      });
      await control(gateway, 'POST /workspaces', { body: { name: 'Shop', slug: 'shop' } });
      // Each sink logs one line per minute, so it must fail before records are lost.
      await ask(gateway);
      await expect
        .poll(() => gateway.printed(), patience)
        .toMatch(/The sink "small" of the log: It fails: It answered 503\./);
      await Promise.all(Array.from({ length: 59 }, () => ask(gateway)));
      await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ waiting: 10, dropped: 50 }]);
      for (let sent = 0; sent < 8; sent += 1) await ask(gateway, { headers: { 'x-gw-workspace': 'shop' } });
      await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ waiting: 18, dropped: 50 }]);
      // What a worker is delivering again is not in its figures for a moment.
      await expect.poll(async () => sum((await sinkStatus(gateway))[0]), patience).toBe(68);
      receiver.handle((call) => call.answer({ status: 200 }));
      await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ status: 'ready', delivered: 18 }]);
      expect(new Set(receivedRecords(receiver).map(({ id }) => id)).size).toBe(18);
    },
  );

  it.runIf(isSampled(2, way, 2))('lose no waiting record when configs are reloaded', async () => {
    const receiver = await startReceiver((call) => call.answer({ status: 500 }));
    const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }], {
      settings: { configs: 'configs', ...ways },
      files: { 'configs/app.json': { provider: 'echo' } },
    });
    await ask(gateway);
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ waiting: 1, status: 'failing' }]);
    gateway.signal('SIGHUP');
    await ask(gateway);
    receiver.handle((call) => call.answer({ status: 200 }));
    await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ delivered: 2 }]);
  });
});
