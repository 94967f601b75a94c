import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxNamedPrompts, namedPrompts } from '../../../schema/config/named-prompts.ts';

const readText = (config: unknown): string => JSON.stringify(config);

it('namedPrompts finds the prompts of a config and of its targets, each once', () => {
  const strategy = { mode: 'fallback' };
  const inner = { strategy, targets: [{ prompt_id: 'c' }, { prompt_id: 'a' }], prompt_id: 'of nobody' };
  const config = { strategy, targets: [{ prompt_id: 'a' }, { provider: 'echo' }, inner, { prompt_id: 'b@2' }] };
  expect(namedPrompts(readText(config))).toEqual(['a', 'c', 'b@2']);
  expect(namedPrompts('{"\\u0070rompt_id":"a"}')).toEqual(['a']);
  for (const text of ['', 'prod', '"prompt_id"', '[{"prompt_id":"a"}]', '{"prompt_id":"a"', '{"prompt_id":1}'])
    expect(namedPrompts(text), text).toEqual([]);
  expect(namedPrompts(readText({ provider: 'echo', override_params: { prompt_id: 'a' } }))).toEqual([]);
});

it('namedPrompts finds no more prompts than a config may name', () => {
  const targets = Array.from({ length: maxNamedPrompts + 5 }, (_, index) => ({ prompt_id: `p${index}` }));
  const found = namedPrompts(readText({ strategy: { mode: 'loadbalance' }, targets }));
  expect(found).toEqual(targets.slice(0, maxNamedPrompts).map(({ prompt_id }) => prompt_id));
});

it('namedPrompts accepts any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(namedPrompts(`${text} prompt_id`).length).toBeLessThanOrEqual(maxNamedPrompts);
      expect(namedPrompts(text).every((each) => typeof each === 'string')).toBe(true);
    }),
  );
});
