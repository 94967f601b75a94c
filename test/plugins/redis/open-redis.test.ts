import { expect, it, onTestFinished } from 'vitest';
import { openRedis } from '../../../plugins/redis/open-redis.ts';
import { patience } from '../../support/patience.ts';
import { hasRedis, startRedis } from '../../support/redis-server.ts';

it.skipIf(!hasRedis)('never uses another database than that of its URL', async () => {
  const server = await startRedis('volatile', ['--databases', '4']);
  onTestFinished(() => server.stop());
  const open = async (database: number) => {
    const client = await openRedis(`${server.url.replace(/\/\d*$/, '')}/${database}`);
    onTestFinished(() => client.disconnect());
    return client;
  };
  const right = await open(3);
  const wrong = await open(4);
  const failures: unknown[] = [];
  wrong.on('error', (error) => failures.push(error.message));
  await expect.poll(() => right.status, patience).toBe('ready');
  await expect.poll(() => failures.length, patience).toBeGreaterThan(2);
  expect(failures).toContain('ERR DB index is out of range');
  await right.set('of three', '1');
  await expect(wrong.set('of four', '1')).rejects.toThrow();
  const none = await open(0);
  await expect.poll(() => none.status, patience).toBe('ready');
  expect(await none.keys('*')).toEqual([]);
});
