import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitCommands } from '../../../plugins/control/metering/counters/redis/script-texts.ts';
import { findingLines } from '../../support/commands/run-doctor.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { hasRedis, startRedis } from '../../support/servers/redis-server.ts';
import { expectOnly, folderDoctor } from './store-doctor.ts';

const examine = folderDoctor();

/** Without EVAL, nothing else could be tried. */
const scriptCommands = limitCommands().filter((name) => name !== 'eval');

describe.skipIf(!hasRedis)('gw doctor finds in a Redis', () => {
  const withLimits = (url: string): string =>
    temporaryFolder({ 'gateway.json': { store: { url: 'gateway.db', limits: { url } }, cache: { url } } });

  const started = async (...args: Parameters<typeof startRedis>) => {
    const server = await startRedis(...args);
    onTestFinished(() => server.stop());
    return server;
  };

  it('nothing if it keeps the counters of limits', async () => {
    expect(findingLines(await examine(withLimits((await started('durable')).url)))).toEqual([]);
  });

  it('that it keeps nothing on disk', async () => {
    expectOnly(
      await examine(withLimits((await started('volatile')).url)),
      /^warning\[redis\] "store\.limits\.url": .*keeps nothing when it restarts.* = Set "appendonly yes" and "appendfsync always"/,
    );
  });

  it('that it evicts keys when it is full', async () => {
    const { url } = await started('durable', ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru']);
    expectOnly(
      await examine(withLimits(url)),
      /^error\[redis\] "store\.limits\.url": .*drops keys .*allkeys-lru.* = Set "maxmemory-policy noeviction"/,
    );
  });

  it.each([
    ['a missing', '', 'NOAUTH: it requires a password'],
    ['a wrong', ':wrong@', 'WRONGPASS: it refuses the password'],
  ])('that it refuses %s password', async (_, credential, reason) => {
    const { url } = await started('durable', ['--requirepass', 'right']);
    const folder = temporaryFolder({
      'gateway.json': { store: { url: 'gateway.db', limits: { url: '${env:LIMITS}' } } },
    });
    const run = await examine(folder, { env: { LIMITS: url.replace('redis://', `redis://${credential}`) } });
    expectOnly(
      run,
      new RegExp(
        `^error\\[redis\\] "store\\.limits\\.url": The Redis at 127\\.0\\.0\\.1:\\d+ cannot be used \\(${reason}\\)\\. = Write the user and the password`,
      ),
    );
  });

  it.each<readonly [string, readonly string[], readonly string[][], RegExp]>([
    [
      'is a replica',
      [],
      [['replicaof', '127.0.0.1', '1']],
      /cannot be used \(READONLY: it is a replica.*\)\. = Name the primary server in the URL\.$/,
    ],
    [
      'has no memory left',
      [],
      [['config', 'set', 'maxmemory', '1']],
      /cannot be used \(OOM: its memory is full\)\. = Raise its maxmemory/,
    ],
    [
      'does not let its user run scripts',
      [],
      [['acl', 'setuser', 'default', '-eval']],
      /cannot be used \(NOPERM: .*\)\. = Allow the user all commands on keys that match \*gatewright:\*/,
    ],
    [
      'does not let its user run commands of the scripts',
      [],
      [['acl', 'setuser', 'default', ...scriptCommands.map((name) => `-${name}`)]],
      new RegExp(
        `does not let its user run ${scriptCommands.join(', ').toUpperCase()} on the keys of limits\\. = Allow the user all commands`,
      ),
    ],
    [
      'does not let its user write the keys of limits',
      [],
      [['acl', 'setuser', 'default', 'resetkeys', '~other:*']],
      /cannot be used \(NOPERM: .*\)\. = Allow the user all commands on keys that match \*gatewright:\*/,
    ],
    [
      'is a node of a cluster without slots',
      ['--cluster-enabled', 'yes'],
      [],
      /cannot be used \(it is a node of a cluster .*\)\. = Name a Redis that is not part of a cluster\.$/,
    ],
  ])('that it %s', async (_, settings, commands, expected) => {
    const { url } = await started('durable', settings);
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    for (const [command = '', ...args] of commands) await client.call(command, ...args);
    const folder = temporaryFolder({ 'gateway.json': { store: { url: 'gateway.db', limits: { url } } } });
    expectOnly(await examine(folder), new RegExp(`^error\\[redis\\] "store\\.limits\\.url": .*${expected.source}`));
  });

  it.each<readonly [string, readonly string[], RegExp]>([
    [
      'commands of the cache',
      ['-pexpire', '-set'],
      /does not let its user run PEXPIRE, SET on the keys of the cache\. = /,
    ],
    [
      'leases',
      ['resetkeys', '~gatewright:cache:*'],
      /cannot be used \(NOPERM: .*\)\. = Allow the user all commands on /,
    ],
  ])('that it does not let its user use %s', async (_, rules, expected) => {
    const { url } = await started();
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    await client.call('ACL', 'SETUSER', 'default', ...rules);
    const folder = temporaryFolder({ 'gateway.json': { cache: { url } } });
    expectOnly(await examine(folder), new RegExp(`^error\\[redis\\] "cache\\.url": .*${expected.source}`));
  });

  it('that it is still reading its data', async () => {
    const server = createServer((socket) => {
      const facts = 'loading:1\r\nloading_eta_seconds:3600\r\n';
      const answer = `$${facts.length}\r\n${facts}\r\n`;
      socket.on('data', (bytes) => socket.write(answer.repeat(bytes.toString().match(/\*\d+\r\n/g)?.length ?? 0)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = temporaryFolder({ 'gateway.json': { cache: { url } } });
    expectOnly(
      await examine(folder),
      /^error\[redis\] "cache\.url": .*cannot be used \(LOADING: it is still reading its data from its disk\)\. = /,
    );
  });

  it('that it is unavailable, for limits and for the cache', async () => {
    const run = await examine(withLimits(`redis://127.0.0.1:${await freePort()}`));
    const away = (setting: string): unknown =>
      expect.stringMatching(
        new RegExp(
          `^error\\[redis\\] "${setting}": .* cannot be reached \\(ECONNREFUSED\\)\\. = Start it, or correct the host`,
        ),
      );
    expect(findingLines(run)).toEqual([away('store.limits.url'), away('cache.url')]);
  });
});
