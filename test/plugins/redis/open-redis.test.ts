import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openRedis } from '../../../plugins/redis/open-redis.ts';
import { findRedisReason } from '../../../plugins/redis/redis-reasons.ts';
import { patience } from '../../support/run/patience.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import { startProxy } from '../control/kernel/store/tcp-proxy.ts';

it.skipIf(!hasRedis)('never uses a database other than the one in its URL', async () => {
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

it.skipIf(!hasRedis)(
  'moves from a server that has become a replica to the one that its host name now leads to',
  async () => {
    const [before, after] = await Promise.all([startRedis(), startRedis()]);
    onTestFinished(() => Promise.all([before.stop(), after.stop()]).then(() => {}));
    const toPort = ({ url }: { readonly url: string }): number => Number(new URL(url).port);
    const proxy = await startProxy(toPort(before));
    onTestFinished(() => proxy.close());
    const open = async (url: string) => {
      const client = await openRedis(url);
      onTestFinished(() => client.disconnect());
      await expect.poll(() => client.status, patience).toBe('ready');
      return client;
    };
    const [client, old, next] = await Promise.all(
      [`redis://127.0.0.1:${proxy.port}`, before.url, after.url].map((url) => open(url)),
    );
    expect(await client?.set('first', '1')).toBe('OK');
    await old?.replicaof('127.0.0.1', 1);
    await expect(client?.set('second', '1')).rejects.toThrow('READONLY');
    // There is no other server yet, but this one can still be read.
    await expect.poll(() => client?.get('first').catch(String), patience).toBe('1');
    proxy.redirect(toPort(after));
    await expect.poll(() => client?.set('third', '1').catch(String), patience).toBe('OK');
    expect(await next?.keys('*')).toEqual(['third']);
  },
);

it('reports that a server reads its data, and continues soon after that, however long the server expects it to take', async () => {
  let isLoading = true;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const facts = isLoading ? 'loading:1\r\nloading_eta_seconds:3600\r\n' : 'loading:0\r\n';
      const answer = `$${facts.length}\r\n${facts}\r\n`;
      socket.write(answer.repeat(bytes.toString().match(/\*\d+\r\n/g)?.length ?? 0));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = await openRedis(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.disconnect());
  const failures: unknown[] = [];
  client.on('error', (error) => failures.push(findRedisReason(error)?.what));
  await expect.poll(() => failures, patience).toEqual(['LOADING: it is still reading its data from its disk']);
  expect(client.status).not.toBe('ready');
  isLoading = false;
  await expect.poll(() => client.status, patience).toBe('ready');
});
