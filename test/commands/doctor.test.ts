import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingPackages } from '../../gw/doctor/checks/config/packages.ts';
import { versionFindings } from '../../gw/doctor/checks/store/postgres-store.ts';
import { readInfo, redisFindings } from '../../gw/doctor/checks/store/redis.ts';
import { networkFolder } from '../../gw/doctor/checks/store/sqlite-store.ts';
import { memoryFindings } from '../../gw/doctor/checks/system/memory.ts';
import { nodeFindings } from '../../gw/doctor/checks/system/node-version.ts';
import { limitFindings, readLimits } from '../../gw/doctor/checks/system/process-limits.ts';
import { processorFindings } from '../../gw/doctor/checks/system/workers.ts';
import { checks } from '../../gw/doctor/checks.ts';
import { splitAdvice } from '../../gw/doctor/set-up/finding.ts';
import type { SetUp } from '../../gw/doctor/set-up/set-up.ts';
import type { RedisNeeds } from '../../plugins/redis/redis-needs.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const readme = path.join(import.meta.dirname, '../../gw/doctor/README.md');

describe('gw doctor', () => {
  it('lists every check in its README, in order', () => {
    const rows = readFileSync(readme, 'utf8').matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm);
    expect(Array.from(rows, ([, id, description]) => [id, description])).toEqual(
      checks.map(({ id, description }) => [id, description]),
    );
  });

  it('has a unique id for each check', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  });

  it.each([
    [['--port', '70000'], '--port is "70000"'],
    [['--confg', 'a.json'], 'Did you mean --config?'],
    [['--config', 'none.json'], 'There is no file "none.json".'],
  ])('rejects an invalid command line: %j', async (args, text) => {
    const run = await runGw(temporaryFolder(), ['doctor', ...args]);
    expect([run.code, run.out, run.err]).toEqual([2, '', expect.stringContaining(text)]);
  });

  it('splits a message into the fact and the remedy', () => {
    expect(splitAdvice('One. Two? Do "three".')).toEqual({ what: 'One. Two?', remedy: 'Do "three".' });
    expect(splitAdvice('It is another: set it.')).toEqual({ what: 'It is another.', remedy: 'Set it.' });
  });
});

describe('gw doctor reports', () => {
  it('an old Node, an old PostgreSQL and an old Redis', () => {
    expect(nodeFindings('20.11.1', '>=22.19')).toMatchObject([
      { severity: 'error', what: expect.stringContaining('20.11.1') },
    ]);
    expect(nodeFindings('24.0.0', '>=22.19')).toEqual([]);
    expect(versionFindings(130_014, 'there')).toMatchObject([{ what: expect.stringContaining('PostgreSQL 13') }]);
    expect(versionFindings(140_000, 'there')).toEqual([]);
    const facts = readInfo(
      '# Server\r\nredis_version:6.0.16\r\naof_enabled:1\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n',
    );
    const needed: RedisNeeds = { commands: [], keys: [''] };
    expect(
      redisFindings(facts, '', { setting: 'here', url: 'redis://there', where: 'there', isForLimits: true, needed }),
    ).toMatchObject([{ severity: 'error', what: expect.stringContaining('6.0.16') }]);
    expect(
      redisFindings(facts, '', { setting: 'here', url: 'redis://there', where: 'there', isForLimits: false, needed }),
    ).toEqual([]);
  });

  it.each([
    [0x6969, 'NFS'],
    // Some systems have a signed type, which Node returns as a 32-bit number.
    [0xff534d42 | 0, 'CIFS'],
  ])('a store on a network file system (%d)', (type, name) => {
    expect(networkFolder('/store', type)).toMatchObject([{ severity: 'error', what: expect.stringContaining(name) }]);
    expect(networkFolder('/store', 0xef53)).toEqual([]);
  });

  it('more workers than processors, and too little memory for all of them', () => {
    expect(processorFindings(4, 2)).toMatchObject([
      {
        severity: 'warning',
        what: '4 workers are configured, but this process may use 2 processors. Additional workers use memory without serving more.',
      },
    ]);
    expect(processorFindings(2, 2)).toEqual([]);
    const facts = { available: 2 ** 30, isLimit: true, bodiesBytes: 2 ** 28 };
    expect(memoryFindings({ ...facts, workers: 2 })).toEqual([]);
    expect(memoryFindings({ ...facts, workers: 3 })).toMatchObject([
      {
        what: 'The memory of this process is limited to 1024 MB, and in 3 workers, bodies may take 768 MB (limits.bodies_bytes applies to each): under load the process may be ended.',
      },
    ]);
  });

  it('low process limits, but no unlimited ones', () => {
    const limits = (files: string): string =>
      `Limit  Soft Limit  Hard Limit  Units\nMax processes  100  100  processes\nMax open files  ${files}  9  files\n`;
    expect(readLimits(limits('1024'))).toEqual({ files: 1024, tasks: 100 });
    expect(limitFindings(readLimits(limits('1024')), true)).toMatchObject([
      { severity: 'warning', subject: 'open files' },
    ]);
    expect(limitFindings(readLimits(limits('unlimited')), false)).toMatchObject([{ subject: 'processes' }]);
  });

  it('packages that the settings need but that are not installed', () => {
    const setUp = { settings: { metrics: true }, findStore: () => 'postgres://host/db' } as Partial<SetUp> as SetUp;
    const none = (): never => {
      throw new Error('It is not installed.');
    };
    expect(missingPackages(setUp, none).map(({ remedy }) => remedy)).toEqual([
      'Run: npm install pg',
      'Run: npm install prom-client',
    ]);
    expect(missingPackages(setUp, () => 'file:///a')).toEqual([]);
  });
});
