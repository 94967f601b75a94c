import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../../../../plugins/control/catalog/prompts/templates/parse-template.ts';
import { TemplateError } from '../../../../../../plugins/control/catalog/prompts/templates/template.ts';
import type { Json, JsonObject } from '../../../../../../schema/json/json.ts';
import { render } from './render.ts';

const mebibyte = 1024 * 1024;
/** The processor time allowed. It is generous: each case takes about 100 ms, and at a quadratic cost it would take minutes. */
const withinMs = 4000;

const elapsed = (run: () => unknown): number => {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

describe('rendering', () => {
  const list = Array.from({ length: 10 }, () => 1);
  const open = '{{#l}}'.repeat(12);
  const close = '{{/l}}'.repeat(12);
  const far = 'a.'.repeat(1000);
  const many = Array.from({ length: 1000 }, () => 1);
  const farValue = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`) as Json;

  it.each<{ message: string; of: string; text: string; variables?: JsonObject; partials?: Record<string, string> }>([
    { message: 'more than 1,000,000 steps', of: 'nested lists', text: `${open}${close}`, variables: { l: list } },
    {
      message: 'more than 1,000,000 steps',
      of: 'a long list',
      text: '{{#l}}{{#m}}{{/m}}{{/l}}',
      variables: { l: many, m: many },
    },
    {
      message: 'more than 1,000,000 steps',
      of: 'names that are not found',
      text: `${'{{#l}}'.repeat(30)}${'{{none}}'.repeat(50)}${'{{/l}}'.repeat(30)}`,
      variables: { l: [1, 2, 3] },
    },
    {
      message: 'more than 1,000,000 steps',
      of: 'dotted names',
      text: `{{#l}}{{${far}a}}{{/l}}`,
      variables: { l: many, a: farValue },
    },
    { message: 'larger than 1 MiB', of: 'long texts', text: '{{x}}{{x}}', variables: { x: 'é'.repeat(300_000) } },
    {
      message: 'larger than 1 MiB',
      of: 'objects',
      text: '{{#l}}{{x}}{{/l}}',
      variables: { l: list, x: { y: 'y'.repeat(200_000) } },
    },
    {
      message: 'larger than 1 MiB',
      of: 'indentation',
      text: `${' '.repeat(mebibyte / 4)}{{>a}}`,
      partials: { a: 'x\n'.repeat(100_000) },
    },
    {
      message: 'deeper than 32 partials',
      of: 'a partial that includes itself',
      text: '{{>a}}',
      partials: { a: '{{>a}}{{>a}}' },
    },
    {
      message: 'deeper than 32 partials',
      of: 'partials that include each other',
      text: '{{>a}}',
      partials: { a: '{{>b}}', b: '{{>a}}' },
    },
  ])('fails with "$message" because of $of', ({ message, text, variables, partials }) => {
    let error: unknown;
    const ms = elapsed(() => {
      try {
        render(text, variables, partials);
      } catch (thrown) {
        error = thrown;
      }
    });
    expect(error).toBeInstanceOf(TemplateError);
    expect((error as TemplateError).message).toContain(message);
    expect(ms).toBeLessThan(withinMs);
  });

  // From version 25, Node writes such values without recursion.
  it('writes a value, or fails with the error of a template, if it is nested deeply', () => {
    const depth = 200_000;
    const deep = Array.from({ length: depth }).reduce<Json>((inner) => [inner], 1);
    let text: string;
    try {
      text = render('{{x}}', { x: deep });
    } catch (error) {
      expect(error).toEqual(new TemplateError('A variable is nested too deeply to be written as JSON.'));
      return;
    }
    expect(text).toBe(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
  });
});

it('renders templates up to the limits', () => {
  expect(render('{{x}}', { x: 'é'.repeat(mebibyte / 2) })).toHaveLength(mebibyte / 2);
  const chain = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`p${index}`, `{{>p${index + 1}}}`]));
  expect(render('{{>p0}}', {}, { ...chain, p31: 'end' })).toBe('end');
  expect(() => render('{{>p0}}', {}, { ...chain, p31: '{{>p32}}', p32: 'end' })).toThrow('The partial "p32" is nested');
});

describe('parsing takes linear time for a long text', () => {
  const length = mebibyte / 4;
  const filled = (piece: string): string => piece.repeat(Math.floor(length / piece.length));
  const spaces = ' '.repeat(length - 100);
  it.each([
    ['of opening braces', filled('{{')],
    ['of opening braces, closed at the end', `${filled('{{').slice(4)}}}`],
    ['of tags with only one closing brace', filled('{{ }')],
    ['of closing braces', filled('}}')],
    ['of empty tags', filled('{{}}')],
    ['of white space that ends a tag', `{{a${spaces}}}`],
    ['of white space that begins a tag', `{{${spaces}a}}`],
    ['of white space in a name', `{{a${spaces}b}}`],
    ['of white space in a comment', `{{!a${spaces}b}}`],
    ['of white space in an unclosed tag', `{{a${spaces}`],
    ['of white space and comments', filled(' {{!}}')],
    ['of partials on one line', filled(' {{>a}}')],
    ['of partials on lines of their own', filled(' {{>a}}\n')],
    ['of unclosed sections', filled('{{#a}}')],
    ['of sections that do not match', `${filled('{{#a}}').slice(length / 2)}${filled('{{/b}}').slice(length / 2)}`],
    ['of one name with many dots', `{{${filled('a.').slice(100)}a}}`],
    ['of line breaks', filled('\r\n')],
  ])('%s', (_, text) => {
    expect(elapsed(() => parseTemplate(text))).toBeLessThan(withinMs);
  });
});
