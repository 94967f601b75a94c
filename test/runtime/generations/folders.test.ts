import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configsFolder } from '../../../runtime/generations/configs-folder.ts';
import { plansFolder } from '../../../runtime/generations/plans-folder.ts';
import { watchFolder } from '../../../runtime/generations/watch-folder.ts';
import { requestPlan } from '../../../runtime/server/request-plan.ts';
import { testClock } from '../server/support/start-server.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gw-plans-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text);

describe('a folder', () => {
  it('of configs gives its *.json and *.jsonc files, and no plan, gateway file or hidden file', async () => {
    await Promise.all([write('b.jsonc', '2'), write('a.json', '1'), write('c.plan.json', '3'), write('readme.md', '')]);
    await Promise.all([write('gateway.json', '{}'), write('.hidden.json', '{}'), write('.json', '{}')]);
    await mkdir(join(folder, 'd.json'));
    const source = configsFolder(folder, (text, file) => ({ secrets: [`${text} ${file}`], diagnostics: [] }));
    const files = await source.read();
    expect(files).toEqual([
      { name: 'a', file: join(folder, 'a.json'), text: '1' },
      { name: 'b', file: join(folder, 'b.jsonc'), text: '2' },
    ]);
    const [first] = files;
    expect(first && (await source.toPlan(first)).secrets).toEqual([`1 ${join(folder, 'a.json')}`]);
  });

  it('of plans gives its *.plan.json files as they were compiled, and none that was changed', async () => {
    await write('prod.plan.json', JSON.stringify(requestPlan));
    await write('odd.plan.json', JSON.stringify({ ...requestPlan, readsParams: true }));
    const source = plansFolder(folder);
    const [odd, prod] = await source.read();
    expect(prod?.name).toBe('prod');
    expect(prod && source.toPlan(prod)).toMatchObject({ plan: { hash: requestPlan.hash }, diagnostics: [] });
    expect(() => odd && source.toPlan(odd)).toThrow(/changed after it was compiled/);
  });

  it('that is watched calls back after a burst of changes, once', async () => {
    let runs: (() => void)[] = [];
    let changes = 0;
    const pending = (): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (runs.length > 0) resolve();
          else setImmediate(look);
        };
        look();
      });
    const clock = {
      ...testClock,
      after: (_ms: number, run: () => void) => {
        runs.push(run);
        return () => {
          runs = runs.filter((other) => other !== run);
        };
      },
    };
    const stop = watchFolder({ folder, clock, changed: () => (changes += 1), failed: () => {} });
    await write('a.json', '1');
    await write('a.json', '2');
    await write('b.json', '3');
    await pending();
    expect(runs).toHaveLength(1);
    expect(changes).toBe(0);
    runs[0]?.();
    expect(changes).toBe(1);
    stop();
  });
});
