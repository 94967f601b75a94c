import { expect, it } from 'vitest';
import { bindOptions } from '../../../../plugins/host/loading/bind-options.ts';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { type Plugin, pluginApi } from '../../../../plugins/sdk/plugin/plugin.ts';

/** A plugin with every possible member. */
const whole: Required<Plugin> = {
  name: 'whole',
  api: pluginApi,
  options: { type: 'object', properties: { limit: { type: 'integer', default: 7 } } },
  permissions: { hooks: ['close'] },
  integrity: () => 'sha256:0' as ReturnType<NonNullable<Plugin['integrity']>>,
  providers: [],
  models: async () => ({ facts: [], lists: {} }),
  dialects: [],
  guardrails: [],
  caches: [],
  choosers: [],
  sinks: [],
  routes: [],
  apply: () => {},
  start: () => {},
};

it('binding its options keeps every member of a plugin except its options schema and its own hash', () => {
  const bound = bindOptions(whole);
  if (bound.kind === 'errors') throw new Error('Its options are valid.');
  const { options: _options, integrity: _integrity, ...kept } = whole;
  expect(Object.keys(bound.plugin).toSorted()).toEqual(Object.keys(kept).toSorted());
  for (const name of [
    'providers',
    'models',
    'dialects',
    'guardrails',
    'caches',
    'choosers',
    'sinks',
    'routes',
  ] as const)
    expect(bound.plugin[name]).toBe(whole[name]);
});

it("a bound plugin's apply gets the options with their defaults", () => {
  const seen: unknown[] = [];
  const bound = bindOptions({ ...whole, apply: (_hooks, options) => seen.push(options) });
  if (bound.kind === 'errors') throw new Error('Its options are valid.');
  bound.plugin.apply?.(createHooks(), {});
  expect(seen).toEqual([{ limit: 7 }]);
});
