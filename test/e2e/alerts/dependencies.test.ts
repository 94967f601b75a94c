import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import { serveStore } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';
import { ask, serveSinks, startReceiver } from '../sinks/support/sent-records.ts';
import { secret, started, states, verified } from './support/receivers.ts';

const programs = postgresFolder();

const toAlerts = (receiver: TestUpstream): object => ({
  ...{ to: [{ webhook: receiver.origin, secret: '${env:ALERTS_SECRET}' }], every_s: 1, unavailable_s: 1 },
});

const parts = (receiver: TestUpstream, state: string): ReadonlySet<unknown> =>
  new Set(
    verified(receiver)
      .filter(({ data }) => data.state === state)
      .map(({ data }) => data.details.part),
  );

/** Waits for the alert that a dependency is unavailable, and then for the one that it is back. */
const isReported = async (
  receiver: TestUpstream,
  part: string,
  { leave, comeBack }: { readonly leave: () => unknown; readonly comeBack: () => unknown },
): Promise<void> => {
  await leave();
  await vi.waitFor(() => expect(parts(receiver, 'open')).toContain(part), patience);
  expect(parts(receiver, 'resolved')).not.toContain(part);
  await comeBack();
  await vi.waitFor(() => expect(parts(receiver, 'resolved')).toContain(part), patience);
  expect(new Set(verified(receiver).map(({ type }) => type))).toEqual(new Set(['store.unavailable']));
};

describe('an alert about a dependency of a gateway', () => {
  it.runIf(programs !== undefined)(
    'reports when the Redis of its limits or its PostgreSQL is unavailable, and when it is back',
    async () => {
      const receiver = await started();
      const postgres = await startPostgres(programs ?? '');
      onTestFinished(() => postgres.stop());
      const redis = hasRedis ? await startRedis('durable') : undefined;
      onTestFinished(() => redis?.stop());
      await serveStore(postgres.url, {
        files: {
          'gateway.json': {
            store: { url: '${env:STORE_URL}', ...(redis && { limits: { url: '${env:LIMITS_URL}' } }) },
            alerts: toAlerts(receiver),
          },
        },
        env: { STORE_URL: postgres.url, LIMITS_URL: redis?.url ?? '', ALERTS_SECRET: secret },
      });
      if (redis !== undefined)
        await isReported(receiver, 'counters', { leave: () => redis.kill(), comeBack: () => redis.restart() });
      await isReported(receiver, 'store', { leave: () => postgres.crash(), comeBack: () => postgres.start() });
    },
  );

  it('counts the records that a sink has lost', async () => {
    const receiver = await started();
    const refusing = await startReceiver((call) => call.answer({ status: 400 }));
    const gateway: GatewayProcess = await serveSinks([{ sink: 'webhook', name: 'archive', url: refusing.origin }], {
      settings: { alerts: toAlerts(receiver) },
      env: { ALERTS_SECRET: secret },
    });
    for (let at = 0; at < 3; at += 1) await ask(gateway);
    await vi.waitFor(() => {
      expect(new Set(states(receiver))).toEqual(new Set(['records.dropped once']));
      expect(verified(receiver).at(-1)?.data).toMatchObject({
        title: expect.stringContaining('on their way to the sink archive, 3 since'),
        details: { where: 'the sink archive', dropped: 3 },
      });
    }, patience);
  });
});
