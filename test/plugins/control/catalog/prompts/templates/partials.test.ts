import { describe, expect, it } from 'vitest';
import { findPartials } from '../../../../../../plugins/control/catalog/prompts/templates/template.ts';
import { partialCycle } from '../../../../../../plugins/control/catalog/prompts/validate-prompt.ts';
import { parsed } from './render.ts';

it('the partials of a template are found with their versions and places', () => {
  expect(findPartials(parsed('{{>a}}\n {{#x}}{{> b-c@5 }}{{^y}}{{>a@latest}}{{/y}}{{/x}}{{>>private}}'))).toEqual([
    { name: 'a', slug: 'a', version: 'published', line: 1, column: 1 },
    { name: 'b-c@5', slug: 'b-c', version: 5, line: 2, column: 8 },
    { name: 'a@latest', slug: 'a', version: 'latest', line: 2, column: 26 },
  ]);
});

describe('a cycle of partials', () => {
  const readCycle = (partials: Readonly<Record<string, string>>) => {
    const loaded: string[] = [];
    const cycle = partialCycle('a', (name) => {
      loaded.push(name);
      const text = partials[name];
      return text === undefined ? undefined : parsed(text);
    });
    return { cycle, loaded };
  };

  it('is reported with its path', () => {
    expect(readCycle({ a: '{{>b}}', b: '{{#x}}{{>c@2}}{{/x}}', 'c@2': '{{>d}}{{>a}}' }).cycle).toBe(
      'The partial "a" includes "b", which includes "c@2", which includes "a".',
    );
  });

  it('may begin after the partial that is saved', () => {
    expect(readCycle({ a: '{{>b}}', b: '{{>c}}', c: '{{>b}}' }).cycle).toBe(
      'The partial "b" includes "c", which includes "b".',
    );
  });

  it('may be a partial that includes itself', () => {
    expect(readCycle({ a: '{{>a}}' }).cycle).toBe('The partial "a" includes "a".');
  });

  it('is not a partial that is included twice, and each partial is loaded once', () => {
    const levels = Array.from({ length: 30 }, (_, level) => [
      level === 0 ? 'a' : `p${level}`,
      `{{>p${level + 1}}}{{>p${level + 1}}}{{>none}}`,
    ]);
    const { cycle, loaded } = readCycle(Object.fromEntries(levels));
    expect(cycle).toBeUndefined();
    expect(loaded).toHaveLength(32);
  });
});
