import { describe, expect, it } from 'vitest';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import {
  ask,
  receivedRecords,
  receivedTraces,
  serveSinks,
  sinkStatus,
  startReceiver,
  waysToServe,
} from './support/sent-records.ts';

describe.each(waysToServe)('when a gateway of %s ends', (_, ways, way) => {
  it.runIf(isSampled(0, way, 2))('waiting records are sent', async () => {
    const receiver = await startReceiver();
    const bucket = await startReceiver();
    const gateway = await serveSinks(
      [
        { sink: 'webhook', url: receiver.origin },
        { sink: 's3', url: 's3://bucket/logs', endpoint: bucket.origin, seconds: 900 },
      ],
      { env: { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }, settings: ways },
    );
    const traces: string[] = [];
    for (let sent = 0; sent < 20; sent += 1) traces.push(await ask(gateway));
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(receivedTraces(receiver, traces)).toEqual(traces);
    expect(bucket.requests.map(({ method }) => method)).toEqual(['PUT']);
    expect(gateway.printed()).not.toContain('The sink');
  });

  it.runIf(isSampled(1, way, 2))(
    'records that a receiver does not accept before the drain ends are counted as lost',
    async () => {
      const receiver = await startReceiver(() => {});
      const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }], {
        settings: { limits: { drain_ms: 2000 }, ...ways },
      });
      for (let sent = 0; sent < 5; sent += 1) await ask(gateway);
      await expect.poll(() => receiver.requests.length, patience).toBe(1);
      gateway.signal('SIGTERM');
      expect(await gateway.exited).toBe(0);
      expect(gateway.printed()).toMatch(
        /The sink "webhook" of the log: .*Lost records: 5 \(in total 0 dropped, 0 refused, 5 given up\)\./,
      );
    },
  );

  it.runIf(isSampled(2, way, 2))(
    'waiting records are lost if the process is killed, and accepted ones are not sent again',
    async () => {
      const receiver = await startReceiver();
      const gateway = await serveSinks([{ sink: 'webhook', url: receiver.origin }], { settings: ways });
      await ask(gateway);
      await expect.poll(() => sinkStatus(gateway), patience).toMatchObject([{ delivered: 1 }]);
      gateway.signal('SIGKILL');
      await gateway.exited;
      expect(receivedRecords(receiver)).toHaveLength(1);
    },
  );
});
