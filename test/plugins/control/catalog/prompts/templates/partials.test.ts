import { describe, expect, it } from 'vitest';
import { findPartials } from '../../../../../../plugins/control/catalog/prompts/templates/find-partials.ts';
import { partialCycle } from '../../../../../../plugins/control/catalog/prompts/templates/partial-cycle.ts';
import { toVariables } from '../../../../../../plugins/control/catalog/prompts/templates/to-variables.ts';
import { parsed } from './render.ts';

it('the partials of a template are found with version and place', () => {
  expect(findPartials(parsed('{{>a}}\n {{#x}}{{> b-c@5 }}{{^y}}{{>a@latest}}{{/y}}{{/x}}{{>>private}}'))).toEqual([
    { name: 'a', slug: 'a', version: 'published', line: 1, column: 1 },
    { name: 'b-c@5', slug: 'b-c', version: 5, line: 2, column: 8 },
    { name: 'a@latest', slug: 'a', version: 'latest', line: 2, column: 26 },
  ]);
});

it('the variables of a template are listed once each, in order', () => {
  const text =
    '{{user.name}} {{#items}}{{.}}{{title}}{{/items}}{{^none}}{{user.age}}{{/none}}{{>p}}{{>>extra}}{{! no }}';
  expect(toVariables(parsed(text))).toEqual(['user', 'items', 'title', 'none', 'extra']);
});

describe('a circle of partials', () => {
  const readCycle = async (partials: Readonly<Record<string, string>>) => {
    const loaded: string[] = [];
    const start = { name: 'a', template: parsed(partials.a ?? '') };
    const cycle = await partialCycle(start, (name) => {
      loaded.push(name);
      const text = partials[name];
      return text === undefined ? undefined : parsed(text);
    });
    return { cycle, loaded };
  };

  it('is told with its path', async () => {
    const { cycle } = await readCycle({ a: '{{>b}}', b: '{{#x}}{{>c@2}}{{/x}}', 'c@2': '{{>d}}{{>a}}' });
    expect(cycle).toEqual({
      path: ['a', 'b', 'c@2', 'a'],
      message: 'The partial "a" includes "b", which includes "c@2", which includes "a".',
    });
  });

  it('may begin behind the partial that is saved', async () => {
    const { cycle } = await readCycle({ a: '{{>b}}', b: '{{>c}}', c: '{{>b}}' });
    expect(cycle?.message).toBe('The partial "b" includes "c", which includes "b".');
  });

  it('may be a partial in itself', async () => {
    expect((await readCycle({ a: '{{>a}}' })).cycle?.message).toBe('The partial "a" includes "a".');
  });

  it('is no partial that is included twice; each is loaded once', async () => {
    const levels = Array.from({ length: 30 }, (_, level) => [
      level === 0 ? 'a' : `p${level}`,
      `{{>p${level + 1}}}{{>p${level + 1}}}{{>none}}`,
    ]);
    const { cycle, loaded } = await readCycle(Object.fromEntries(levels));
    expect(cycle).toBeUndefined();
    expect(loaded).toHaveLength(31);
  });
});
