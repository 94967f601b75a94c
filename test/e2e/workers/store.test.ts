import { describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { patience } from '../../support/patience.ts';
import { postgresFolder, startPostgres } from '../../support/postgres-server.ts';
import { hasRedis, startRedis } from '../../support/redis-server.ts';
import { adminKey } from '../../support/stored-gateway.ts';
import { gatewayFile, limitedGateway, makePolicy } from '../limits/support/limited-gateway.ts';
import { ask, workersOf } from './worker-processes.ts';

const programs = postgresFolder();

/** The requests that are sent, and those of them that the limit allows. */
const sent = 60;
const allowed = 25;

/** The versions of what workers serve, of enough answers that each of them gives one. */
const readFeeds = async (gateway: GatewayProcess): Promise<readonly string[]> => {
  const headers = { 'x-gw-api-key': adminKey };
  const pages = await Promise.all(
    Array.from({ length: 20 }, () => ask(gateway, { method: 'GET', path: '/readyz', headers })),
  );
  return pages.map(({ text }) => JSON.stringify(JSON.parse(text).store.feeds));
};

describe.skipIf(programs === undefined || !hasRedis)(
  'workers with a store (skipped if there is no PostgreSQL or no redis-server)',
  () => {
    it('count one limit together, though one of them is killed meanwhile', async () => {
      const [postgres, redis] = await Promise.all([startPostgres(programs ?? ''), startRedis('durable')]);
      onTestFinished(async () => {
        await Promise.all([postgres.end(), redis.stop()]);
      });
      const file = { ...gatewayFile, store: { url: '${env:STORE_URL}', limits: { url: redis.url } } };
      const { gateway, key } = await limitedGateway(postgres.url, {
        args: ['--workers', '3'],
        env: { STORE_URL: postgres.url },
        files: { 'gateway.json': file },
      });
      // Each worker hears of the policy within a second.
      const [before = ''] = await readFeeds(gateway);
      await makePolicy(gateway, 'rate-limits', { type: 'requests', unit: 'rpd', value: allowed });
      await expect.poll(async () => (await readFeeds(gateway)).includes(before), patience).toBe(false);
      const send = () =>
        ask(gateway, {
          headers: { 'x-gw-api-key': key.key, 'x-gw-provider': '@main' },
          body: { model: 'priced', max_tokens: 10, messages: [{ role: 'user', content: '{"input":1}' }] },
        }).then(
          ({ status, isWhole }) => (isWhole ? status : 'torn'),
          () => 'torn' as const,
        );
      const first = Array.from({ length: sent / 2 }, send);
      await Promise.race(first);
      process.kill(workersOf(gateway)[0] ?? 0, 'SIGKILL');
      const all = [...(await Promise.all(first)), ...(await Promise.all(Array.from({ length: sent / 2 }, send)))];
      const served = all.filter((status) => status === 200).length;
      const torn = all.filter((status) => status === 'torn').length;
      // What a killed worker had begun may have counted.
      expect(served).toBeLessThanOrEqual(allowed);
      expect(served + torn).toBeGreaterThanOrEqual(allowed);
      expect(all.filter((status) => status === 429).length).toBe(sent - served - torn);
    });
  },
);
