import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresFolder, startPostgres } from '../../support/postgres-server.ts';
import { hasRedis, startRedis } from '../../support/redis-server.ts';
import { gatewayFile, limitedGateway, makePolicy, serveLimited } from '../limits/support/limited-gateway.ts';
import { ask, workersOf } from './worker-processes.ts';

const programs = postgresFolder();

/** The requests that are sent, and those of them that the limit allows. */
const sent = 60;
const allowed = 25;

describe.skipIf(programs === undefined || !hasRedis)(
  'workers with a store (skipped if there is no PostgreSQL or no redis-server)',
  () => {
    it('count one limit together, though one of them is killed meanwhile', async () => {
      const [postgres, redis] = await Promise.all([startPostgres(programs ?? ''), startRedis('durable')]);
      onTestFinished(async () => {
        await Promise.all([postgres.end(), redis.stop()]);
      });
      const options = {
        env: { STORE_URL: postgres.url },
        files: {
          'gateway.json': { ...gatewayFile, store: { url: '${env:STORE_URL}', limits: { url: redis.url } } },
        },
      };
      const { gateway: first, key } = await limitedGateway(postgres.url, options);
      await makePolicy(first, 'rate-limits', { type: 'requests', unit: 'rpd', value: allowed });
      await first.stop();
      const gateway = await serveLimited(postgres.url, { ...options, args: ['--workers', '3'] });
      const send = () =>
        ask(gateway, {
          headers: { 'x-gw-api-key': key.key, 'x-gw-provider': '@main' },
          body: { model: 'priced', max_tokens: 10, messages: [{ role: 'user', content: '{"input":1}' }] },
        }).then(
          ({ status, isWhole }) => (isWhole ? status : 'torn'),
          () => 'torn' as const,
        );
      const early = Array.from({ length: sent / 2 }, send);
      await Promise.race(early);
      process.kill(workersOf(gateway)[0] ?? 0, 'SIGKILL');
      const all = [...(await Promise.all(early)), ...(await Promise.all(Array.from({ length: sent / 2 }, send)))];
      const served = all.filter((status) => status === 200).length;
      const torn = all.filter((status) => status === 'torn').length;
      // What a killed worker had begun may have counted.
      expect(served).toBeLessThanOrEqual(allowed);
      expect(served + torn).toBeGreaterThanOrEqual(allowed);
      expect(all.filter((status) => status === 429).length).toBe(sent - served - torn);
    });
  },
);
