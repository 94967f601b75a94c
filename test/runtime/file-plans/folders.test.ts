import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { configsFolder } from '../../../runtime/file-plans/configs-folder.ts';
import { plansFolder } from '../../../runtime/file-plans/plans-folder.ts';
import { requestPlan } from '../../../runtime/tenant-plans/request-plan.ts';
import { watchFolder } from '../../../runtime/watched-files/watch-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gw-plans-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text);

describe('a folder', () => {
  it('of configs has its JSON and YAML files, but no plans, gateway files or hidden files', async () => {
    await Promise.all([write('b.jsonc', '2'), write('a.json', '1'), write('c.plan.json', '3'), write('readme.md', '')]);
    await Promise.all([write('gateway.json', '{}'), write('.hidden.json', '{}'), write('.json', '{}')]);
    await Promise.all([write('e.yaml', '5'), write('f.yml', '6')]);
    await Promise.all(
      ['gateway.jsonc', 'gateway.yaml', 'gateway.yml', 'gateway.models.json'].map((name) => write(name, '')),
    );
    await mkdir(join(folder, 'd.json'));
    const source = configsFolder(folder, (text, file) => ({ secrets: [`${text} ${file}`], diagnostics: [] }));
    const files = await source.read();
    expect(files).toEqual([
      { name: 'a', file: join(folder, 'a.json'), text: '1' },
      { name: 'b', file: join(folder, 'b.jsonc'), text: '2' },
      { name: 'e', file: join(folder, 'e.yaml'), text: '5' },
      { name: 'f', file: join(folder, 'f.yml'), text: '6' },
    ]);
    const [first] = files;
    expect(first && 'text' in first && (await source.toPlan(first)).secrets).toEqual([`1 ${join(folder, 'a.json')}`]);
  });

  it('of plans has its *.plan.json files as they were compiled, and rejects changed ones', async () => {
    await write('prod.plan.json', JSON.stringify(requestPlan));
    await write('odd.plan.json', JSON.stringify({ ...requestPlan, readsParams: true }));
    const source = plansFolder(folder);
    const [odd, prod] = await source.read();
    expect(prod?.name).toBe('prod');
    expect(prod && 'text' in prod && (await source.toPlan(prod))).toMatchObject({
      plan: { hash: requestPlan.hash },
      diagnostics: [],
    });
    await expect(async () => odd && 'text' in odd && source.toPlan(odd)).rejects.toThrow(
      /changed after it was compiled/,
    );
  });

  it('reports a file that cannot be read with the reason, and omits one that is gone by then', async () => {
    await write('good.json', '1');
    await writeFile(join(folder, 'latin.json'), Buffer.from('\n"Zürich"', 'latin1'));
    await symlink('nowhere', join(folder, 'lost.json'));
    await symlink(folder, join(folder, 'nested.json'));
    const { read } = configsFolder(folder, () => ({ secrets: [], diagnostics: [] }));
    expect(await read()).toEqual([
      { name: 'good', file: join(folder, 'good.json'), text: '1' },
      {
        name: 'latin',
        file: join(folder, 'latin.json'),
        unreadable: 'Line 2 is not in UTF-8. Save the file as UTF-8.',
      },
      { name: 'lost', file: join(folder, 'lost.json'), unreadable: 'It does not exist. Restore it.' },
      { name: 'nested', file: join(folder, 'nested.json'), unreadable: expect.stringContaining('It is a folder') },
    ]);
    await rm(folder, { recursive: true });
    await expect(read()).rejects.toThrow('ENOENT');
    await mkdir(folder);
  });

  it('that is watched calls back once after a burst of changes', async () => {
    const clock = createVirtualClock();
    let changes = 0;
    const watching = watchFolder({
      folder,
      clock,
      changed: async () => {
        changes += 1;
        return true;
      },
    });
    const timers = clock.pending;
    await write('a.json', '1');
    await write('a.json', '2');
    await write('b.json', '3');
    await expect.poll(() => clock.pending).toBe(timers + 1);
    expect(changes).toBe(0);
    clock.advance(500);
    await expect.poll(() => changes).toBe(1);
    watching.stop();
    expect(clock.pending).toBe(0);
  });

  it('that is watched calls back even if changes never stop', async () => {
    const virtual = createVirtualClock();
    let changes = 0;
    let timers = 0;
    const clock = {
      ...virtual,
      after: (ms: number, run: () => void) => {
        timers += 1;
        return virtual.after(ms, run);
      },
    };
    const watching = watchFolder({
      folder,
      clock,
      changed: async () => {
        changes += 1;
        return true;
      },
    });
    for (let round = 0; round < 11; round += 1) {
      const before = timers;
      await write('a.json', `${round}`);
      await expect.poll(() => timers, { interval: 5 }).toBeGreaterThan(before);
      virtual.advance(50);
    }
    await expect.poll(() => changes).toBe(1);
    watching.stop();
  });

  it('that is watched is read again every second while something in it cannot be read', async () => {
    const clock = createVirtualClock();
    let readings = 0;
    const watching = watchFolder({
      folder,
      clock,
      changed: async () => {
        readings += 1;
        return readings > 3;
      },
    });
    const second = async (): Promise<void> => {
      await expect.poll(() => clock.pending).toBe(1);
      clock.advance(1000);
      await expect.poll(() => clock.pending).toBeGreaterThan(0);
    };
    for (const expected of [1, 2, 3, 4]) {
      await second();
      await expect.poll(() => clock.pending).toBe(2);
      clock.advance(100);
      await expect.poll(() => readings).toBe(expected);
    }
    await second();
    await expect.poll(() => clock.pending).toBe(1);
    expect(readings).toBe(4);
    watching.stop();
  });
});
