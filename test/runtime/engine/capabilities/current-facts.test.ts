import { expect, it } from 'vitest';
import { CurrentFacts } from '../../../../runtime/engine/capabilities/current-facts.ts';
import type { ModelFacts } from '../../../../schema/model-facts/model-facts.ts';

const facts = (context: number): ModelFacts => ({
  ...{ provider: 'p', model: 'm', aliases: [], capabilities: [], lacks: [], context },
  ...{ source: 'operator', asOf: '2026-11-24', from: {} },
});

it('looks up a model once while its facts are unchanged, and never a name that is too long', async () => {
  const looked: string[] = [];
  const ofProvider = async () => (model: string) => {
    looked.push(model);
    return model === 'm' ? facts(1) : undefined;
  };
  const current = new CurrentFacts(async () => ({ ofProvider }), { monotonic: () => 0 });
  await current.ready('p');
  for (const model of ['m', 'm', 'other', 'other', '.'.repeat(257)]) current.find('p', model, undefined);
  expect(looked).toEqual(['m', 'other']);
  for (let at = 0; at < 600; at += 1) current.find('p', `m${at}`, undefined);
  expect(current.find('p', 'm', undefined)?.context).toBe(1);
});

it('loads the facts of a provider once, and again in the background when they are outdated', async () => {
  let now = 0;
  let asked = 0;
  let fails = false;
  const current = new CurrentFacts(
    async () => ({
      ofProvider: async (provider) => {
        asked += 1;
        if (fails) throw new Error('The file is broken.');
        const known = facts(asked);
        return (model, slug) => (provider === 'p' && model === 'm' && slug === 's' ? known : undefined);
      },
    }),
    { monotonic: () => now },
  );
  const context = (): number | undefined => current.find('p', 'm', 's')?.context;
  expect(context()).toBeUndefined();
  await Promise.all([current.ready('p'), current.ready('p')]);
  expect([asked, context(), current.find('p', 'other', 's')]).toEqual([1, 1, undefined]);
  now = 9_999;
  expect([current.ready('p'), asked]).toEqual([undefined, 1]);
  now = 10_000;
  expect(current.ready('p')).toBeUndefined();
  await expect.poll(context).toBe(2);
  fails = true;
  now = 20_000;
  expect(current.ready('p')).toBeUndefined();
  await expect.poll(() => asked).toBe(3);
  expect(context()).toBe(2);
});
