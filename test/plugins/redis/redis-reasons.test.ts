import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { findRedisReason } from '../../../plugins/redis/redis-reasons.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';

const call = 'ERR Error running script (call to f_b6de017ad219f1a815722491f21b083101c0e32d): ';

it.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
  [`${call}@user_script:3: OOM command not allowed when used memory > 'maxmemory'.`, 'OOM'],
  [`${call}@user_script:1: @user_script: 1: -NOREPLICAS Not enough good replicas to write.`, 'NOREPLICAS'],
  [`${call}@user_script:12: @user_script: 12: Unknown Redis command called from Lua script`, 'does not know a command'],
  ['Ready check failed: NOAUTH Authentication required.', 'NOAUTH'],
])('the reason of the error reply %s is found', (message, what) => {
  expect(findRedisReason(new Error(message))?.what).toContain(what);
});

it('no reason is found in a script that fails by itself', () => {
  expect(findRedisReason(new Error(`${call}user_script:1: attempt to index a nil value`))).toBeUndefined();
});

it.skipIf(!hasRedis).each(['ZADD', 'EVAL'])('a server without the command %s does not know it', async (command) => {
  const server = await startRedis('volatile', ['--rename-command', command, '']);
  onTestFinished(() => server.stop());
  const client = new Redis(server.url);
  onTestFinished(() => client.disconnect());
  const failure = await client.eval("return redis.call('ZADD', KEYS[1], 1, 'a')", 1, 'key').catch((error) => error);
  expect(findRedisReason(failure)?.what).toBe('it does not know a command of the gateway');
});
