import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import { gatewayFile, limitedGateway, makePolicy, serveLimited } from '../limits/support/limited-gateway.ts';
import { ask, workersOf } from './worker-processes.ts';

const programs = postgresFolder();

/** How many requests are sent, and how many of them the limit allows. */
const sent = 60;
const allowed = 25;

interface StoreOfWorkers {
  /** A path or a URL. */
  readonly store: string;
  /** The URL of a Redis for the counters, if there is one. */
  readonly limits?: string;
}

const sqlite = async (): Promise<StoreOfWorkers> => {
  const folder = path.join(temporaryFolder(), 'store');
  mkdirSync(folder);
  return { store: path.join(folder, 'gateway.db') };
};

const postgres = async (): Promise<StoreOfWorkers> => {
  const server = await startPostgres(programs ?? '');
  onTestFinished(() => server.end());
  return { store: server.url };
};

const withRedis = async (of: Promise<StoreOfWorkers>): Promise<StoreOfWorkers> => {
  const [{ store }, redis] = await Promise.all([of, startRedis('durable')]);
  onTestFinished(() => redis.stop());
  return { store, limits: redis.url };
};

interface Tried {
  readonly name: string;
  readonly isThere: boolean;
  readonly open: () => Promise<StoreOfWorkers>;
}

/** Each store is tested in each sample: one of them with a Redis for the counters, and the other without. */
const tried: readonly Tried[] = [
  { name: 'a SQLite file', isThere: true, open: sqlite },
  { name: 'a PostgreSQL', isThere: programs !== undefined, open: postgres },
].flatMap((store, storeAt) =>
  [
    store,
    { name: `${store.name} and a Redis`, isThere: store.isThere && hasRedis, open: () => withRedis(store.open()) },
  ].filter((_, withAt) => isSampled(storeAt, withAt, 2)),
);

describe('workers with a store (skipped if a required program is not installed)', () => {
  it.for(tried)(
    'enforce one limit together, even if one of them is killed meanwhile: $name',
    async ({ isThere, open }, { skip }) => {
      if (!isThere) skip();
      const { store, limits } = await open();
      const options = {
        env: { STORE_URL: store },
        files: {
          'gateway.json': {
            ...gatewayFile,
            store: { url: '${env:STORE_URL}', ...(limits === undefined ? {} : { limits: { url: limits } }) },
          },
        },
      };
      const { gateway: first, key } = await limitedGateway(store, options);
      await makePolicy(first, 'rate-limits', {
        ...{ type: 'requests', unit: 'rpd', value: allowed },
        // On a busy machine a Redis may answer late.
        if_unknown: 'refuse',
      });
      await first.stop();
      const gateway = await serveLimited(store, { ...options, args: ['--workers', '2'] });
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
      // Requests of a killed worker may have been counted, and so may queries that a Redis answered late.
      const uncertain = all.filter((status) => status === 'torn' || status === 503).length;
      expect(served, gateway.printed()).toBeLessThanOrEqual(allowed);
      expect(served + uncertain).toBeGreaterThanOrEqual(allowed);
      expect(all.filter((status) => status === 429).length).toBe(sent - served - uncertain);
    },
  );
});
