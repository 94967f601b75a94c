import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { LinkedPlan } from '../../../runtime/engine/link.ts';
import { LinkError } from '../../../runtime/engine/link-error.ts';
import { createGenerations } from '../../../runtime/file-plans/generations.ts';
import type { PlanSource } from '../../../runtime/file-plans/plan-source.ts';
import { requestPlan } from '../../../runtime/tenant-plans/request-plan.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { hashPlan } from '../../../schema/plan/hash-plan.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { fakeLinkedPlan } from '../../support/plans/fake-linked-plan.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const toPlan = (name: string, text: string): RoutingPlan => {
  const plan = { ...requestPlan, name, bounds: { ...requestPlan.bounds, calls: text.length } };
  return { ...plan, hash: hashPlan(plan) };
};

/**
 * A folder in memory. A text that begins with `!` has a mistake, one with `?` lacks a secret, one with `*` throws, and one
 * that begins with `=name ` has a name of its own.
 */
const folder = () => {
  const texts = new Map<string, string>();
  const read: string[] = [];
  let gone = false;
  const source: PlanSource = {
    folder: 'configs',
    read: async () => {
      if (gone) throw new Error('The folder is gone.');
      return Array.from(texts, ([file, text]) => ({ name: file.replace(/\.jsonc?$/, ''), file, text }));
    },
    toPlan: ({ name, text, file }) => {
      read.push(file);
      if (text.startsWith('*')) throw new Error('This is not a plan.');
      const [, own = name] = /^=(\S+) /.exec(text) ?? [];
      if (!text.startsWith('!')) return { plan: toPlan(own, text), secrets: [], diagnostics: [] };
      const span = { offset: 0, length: 1, line: 3, column: 7 };
      const mistake = {
        code: 'unknown-target',
        severity: 'error',
        message: 'No such target.',
        file,
        pointer: rootPointer,
        span,
      };
      return { secrets: [], diagnostics: [{ ...mistake, severity: 'error' }] };
    },
  };
  const retired: string[] = [];
  const link = (plan: RoutingPlan): LinkedPlan => {
    if (plan.bounds.calls === 2)
      throw new LinkError(plan.name, ['The secret ${env:KEY} is not set.', 'So is another.']);
    return { ...fakeLinkedPlan(plan), retire: () => void retired.push(`${plan.name} ${plan.bounds.calls}`) };
  };
  return { texts, read, retired, generations: createGenerations({ source, link }), lose: () => (gone = true) };
};

describe('generations of plans', () => {
  it('retire only the plans that they replace or omit', async () => {
    const { texts, retired, generations } = folder();
    texts.set('a.json', 'one').set('b.json', 'four').set('c.json', 'three');
    await generations.reload();
    await generations.reload();
    expect(retired).toEqual([]);
    texts.set('a.json', 'seven').delete('b.json');
    await generations.reload();
    expect(retired).toEqual(['a 3', 'b 4']);
    await generations.reload({ relink: true });
    expect(retired).toEqual(['a 3', 'b 4', 'a 5', 'c 5']);
  });

  it('serve the plans of the folder', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'one').set('b.jsonc', 'four');
    expect(await generations.reload()).toHaveLength(2);
    expect(generations.current.plan('a')?.linked.plan.bounds.calls).toBe(3);
    expect(generations.status()).toMatchObject({
      generation: 1,
      plans: [
        { name: 'a', file: 'a.json', hash: expect.stringMatching(/^sha256:/) },
        { name: 'b', file: 'b.jsonc' },
      ],
      refused: [],
      closing: [],
    });
  });

  it('compile and link only what has changed, and swap only if something has', async () => {
    const { texts, read, generations } = folder();
    texts.set('a.json', 'one').set('b.json', 'four');
    await generations.reload();
    const { current } = generations;
    expect(await generations.reload()).toEqual([]);
    expect(generations.current).toBe(current);
    texts.set('b.json', 'other');
    expect((await generations.reload()).map(({ source }) => source.file)).toEqual(['b.json']);
    expect(read).toEqual(['a.json', 'b.json', 'b.json']);
    expect(generations.current.plan('a')).toBe(current.plan('a'));
    expect(generations.current.plan('b')).not.toBe(current.plan('b'));
  });

  it('link everything again if secrets may have changed', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'one');
    await generations.reload();
    const before = generations.current.plan('a');
    await generations.reload({ relink: true });
    expect(generations.current.plan('a')).not.toBe(before);
    expect(generations.current.plan('a')?.label).toBe(before?.label);
  });

  it.each([
    ['!', 'unknown-target at 3:7: No such target.'],
    ['??', 'The secret ${env:KEY} is not set. So is another.'],
    ['*', 'This is not a plan.'],
  ])(
    'refuse a file with the text %s for a stated reason, and keep the last good plan of its name',
    async (text, reason) => {
      const { texts, generations } = folder();
      texts.set('a.json', 'one').set('b.json', 'four');
      await generations.reload();
      const good = generations.current.plan('a');
      texts.set('a.json', text).set('b.json', 'other');
      const reported = await generations.reload();
      expect(reported.find(({ source }) => source.file === 'a.json')?.reason).toBe(reason);
      expect(generations.status().refused).toEqual([{ file: 'a.json', reason }]);
      expect(generations.current.plan('a')).toBe(good);
      expect(generations.current.plan('b')?.linked.plan.bounds.calls).toBe(5);
      texts.set('a.json', 'mended');
      await generations.reload();
      expect(generations.status().refused).toEqual([]);
      expect(generations.current.plan('a')?.linked.plan.bounds.calls).toBe(6);
    },
  );

  it('refuse the second of two files with the same plan name', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'one').set('a.jsonc', 'four');
    await generations.reload();
    expect(generations.current.plan('a')?.linked.plan.bounds.calls).toBe(3);
    expect(generations.status().refused).toMatchObject([{ file: 'a.jsonc' }]);
  });

  it.each([
    ['a.json', 'a.jsonc'],
    ['a.jsonc', 'a.json'],
    ['z.jsonc', '=z one', 'a.json', '=z other'],
  ])('continue to serve %s if %s takes its name, and name both', async (...given) => {
    const [served, text, newcomer, other] = given.length === 4 ? given : [given[0], 'one', given[1], 'other'];
    const { texts, retired, generations } = folder();
    texts.set(served, text);
    await generations.reload();
    const { current } = generations;
    const [[name, good] = ['', undefined]] = current.entries;
    const all = [...texts, [newcomer, other] as const].sort();
    texts.clear();
    for (const [file, config] of all) texts.set(file, config);
    const reason = `The plan "${name}" already comes from ${served}. Give one of them another name.`;
    expect((await generations.reload()).map(({ source }) => source.file)).toEqual([newcomer]);
    expect(generations.current).toBe(current);
    expect(generations.status()).toMatchObject({ status: 'degraded', refused: [{ file: newcomer, reason }] });
    expect(retired).toHaveLength(1);
    texts.set(served, '!');
    await generations.reload();
    expect(generations.current.entries.get(name)).toBe(good);
    texts.delete(served);
    await generations.reload();
    expect(generations.status()).toMatchObject({ status: 'ready', refused: [], plans: [{ name, file: newcomer }] });
  });

  it('continue to serve every plan if files take the names of others', async () => {
    const { texts, generations } = folder();
    texts.set('b.json', 'one').set('c.json', 'four');
    await generations.reload();
    const plans = [...generations.current.entries.values()];
    texts.clear();
    texts.set('a.json', '=b other').set('b.json', '=c one').set('c.json', 'four');
    await generations.reload();
    expect([...generations.current.entries.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual(plans);
    expect(
      generations
        .status()
        .refused.map(({ file }) => file)
        .sort(),
    ).toEqual(['a.json', 'b.json']);
  });

  it('serve a plan under the name in its config', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', '=careful one');
    await generations.reload();
    const good = generations.current.plan('careful');
    expect(good?.label).toMatch(/^careful@/);
    expect(generations.current.plan('a')).toBeUndefined();
    texts.set('a.json', '!');
    await generations.reload();
    expect(generations.current.plan('careful')).toBe(good);
    texts.set('a.json', '=quick one');
    await generations.reload();
    expect([...generations.current.entries.keys()]).toEqual(['quick']);
  });

  it('serve a plan under a name that a header can contain', async () => {
    const { texts, generations } = folder();
    texts.set('Été (new).json', 'one');
    await generations.reload();
    expect([...generations.current.entries.keys()]).toEqual(['t-new']);
  });

  it('refuse a config that takes the name of another, and name the file that has it', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', '=same one').set('b.json', '=other four');
    await generations.reload();
    texts.set('b.json', '=same four');
    await generations.reload();
    const reason = 'The plan "same" already comes from a.json. Give one of them another name.';
    expect(generations.status().refused).toEqual([{ file: 'b.json', reason }]);
    expect([...generations.current.entries.keys()]).toEqual(['same', 'other']);
  });

  it('keep the last good plan of a file whose extension changes', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'one');
    await generations.reload();
    const good = generations.current.plan('a');
    texts.delete('a.json');
    texts.set('a.jsonc', '!');
    await generations.reload();
    expect(generations.current.plan('a')).toBe(good);
  });

  it('drop a plan whose file is gone, but keep all plans if the folder cannot be read', async () => {
    const { texts, generations, lose } = folder();
    texts.set('a.json', 'one').set('b.json', 'four');
    await generations.reload();
    texts.delete('a.json');
    await generations.reload();
    expect(generations.current.plan('a')).toBeUndefined();
    lose();
    await expect(generations.reload()).rejects.toThrow('The folder is gone.');
    expect(generations.current.plan('b')).toBeDefined();
    expect(generations.status().refused).toEqual([{ file: 'configs', reason: 'The folder is gone.' }]);
  });

  it('close when their last request ends, and requests keep the one that they started with', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'one');
    await generations.reload();
    const first = generations.enter();
    const second = generations.enter();
    texts.set('a.json', 'other');
    await generations.reload();
    expect(first.generation.plan('a')?.linked.plan.bounds.calls).toBe(3);
    expect(generations.enter().generation.plan('a')?.linked.plan.bounds.calls).toBe(5);
    expect(generations.status().closing).toEqual([{ generation: 1, running: 2 }]);
    first.release();
    expect(generations.status().closing).toEqual([{ generation: 1, running: 1 }]);
    second.release();
    expect(generations.status().closing).toEqual([]);
  });

  it('are garbage-collected after they close', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'one');
    await generations.reload();
    // A separate function, so that no stack frame keeps the last of them.
    const swapFiftyTimes = async (): Promise<readonly WeakRef<object>[]> => {
      const old: WeakRef<object>[] = [];
      for (let swap = 0; swap < 50; swap += 1) {
        const generationRef = generations.enter();
        const plan = generations.current.plan('a');
        if (plan !== undefined) old.push(new WeakRef(generations.current), new WeakRef(plan.linked));
        texts.set('a.json', 'x'.repeat(swap + 3));
        await generations.reload({ relink: true });
        generationRef.release();
      }
      return old;
    };
    const old = await swapFiftyTimes();
    // A WeakRef keeps its target until the job that created or read it has ended.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(old).toHaveLength(100);
    expect(old.filter((ref) => ref.deref() !== undefined)).toEqual([]);
  });

  it('follow one another, however quickly reloads are requested', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'one');
    const first = generations.reload();
    texts.set('a.json', 'other');
    await Promise.all([first, generations.reload(), generations.reload()]);
    expect(generations.current.plan('a')?.linked.plan.bounds.calls).toBe(5);
  });
});

describe('a reload in two phases', () => {
  it('serves nothing before it is committed, and its outcome identifies what would be served', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'abc');
    const first = await generations.prepare();
    expect([...generations.current.entries.keys()]).toEqual([]);
    first.commit();
    expect([...generations.current.entries.keys()]).toEqual(['a']);
    const same = await generations.prepare();
    expect(same.outcome()).toBe(first.outcome());
    same.commit();
    expect(generations.current.number).toBe(1);
    texts.set('b.json', '!');
    const refused = await generations.prepare();
    expect(refused.outcome()).not.toBe(first.outcome());
    expect(refused.findings).toMatchObject([{ source: { file: 'b.json' }, reason: expect.stringContaining('3:7') }]);
    expect(generations.status().refused).toEqual([]);
    refused.commit();
    expect(generations.status().refused).toMatchObject([{ file: 'b.json' }]);
  });

  it('changes nothing if it is aborted, and retires what was linked only for it', async () => {
    const { texts, generations, retired } = folder();
    texts.set('a.json', 'abc').set('b.json', 'abc');
    await generations.reload();
    texts.set('a.json', 'abcd');
    const prepared = await generations.prepare();
    prepared.abort();
    expect(retired).toEqual(['a 4']);
    expect(generations.current.plan('a')?.linked.plan.bounds.calls).toBe(3);
    expect(generations.current.number).toBe(1);
  });

  it('makes other reloads wait until it is decided', async () => {
    const { texts, generations } = folder();
    texts.set('a.json', 'abc');
    const prepared = await generations.prepare();
    texts.set('a.json', 'abcd');
    const ends: string[] = [];
    const reloading = generations.reload().then(() => ends.push('reload'));
    await Promise.resolve();
    prepared.commit();
    ends.push('commit');
    await reloading;
    expect(ends).toEqual(['commit', 'reload']);
    expect(generations.current.number).toBe(2);
  });
});
