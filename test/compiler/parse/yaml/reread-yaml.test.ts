import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SyntaxNode, SyntaxReading } from '../../../../compiler/parse/syntax-tree.ts';
import { readWholeYaml, readYaml } from '../../../../compiler/parse/yaml/read-yaml.ts';
import { rereadYaml } from '../../../../compiler/parse/yaml/reread-yaml.ts';
import { dearLawRuns } from '../../../support/run/law-runs.ts';

/** Returns lines that make a text long enough to be remembered, so that each block is a small part of it. */
const padding = (name: string): readonly string[] =>
  Array.from({ length: 40 }, (_, at) => `${name}${at}: { some: [padding, ${at}], for: 'the text' }`);

const scalars = [
  ...[
    'x',
    '1',
    'true',
    '~',
    '"a b"',
    "'c: d'",
    'a # no comment',
    'plain text',
    '[1, 2]',
    '{ a: 1, b: [2] }',
    '""',
    'é😀',
  ],
  ...[
    '"two\n   lines"',
    'plain\n   goes on',
    '|\n   kept\n\n   lines',
    '>-\n   folded\n   lines',
    '|+\n   kept\n\n',
    '',
  ],
];

type Tree = string | { readonly kind: 'map' | 'list' | 'flush'; readonly items: readonly Tree[] };

const trees = fc.letrec<{ readonly tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.constantFrom(...scalars),
    fc.record({
      kind: fc.constantFrom('map' as const, 'list' as const, 'flush' as const),
      items: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
    }),
  ),
})).tree;

/** A function that returns a number below `count` for each free choice in a text. */
type Pick = (count: number) => number;

/** Writes a value after its key or dash, indented by `indent` if it has lines of its own. */
const write = (tree: Tree, indent: number, pick: Pick, isItem: boolean): string => {
  const space = ' '.repeat(indent);
  if (typeof tree === 'string') return ` ${tree.replaceAll('\n ', `\n${space}`)}\n`;
  const { kind, items } = tree;
  const dashes = kind !== 'map';
  const column = kind === 'flush' && !isItem && indent > 0 ? indent - 2 : indent;
  const lines = items.map((item, at) => {
    const note =
      pick(9) === 0 ? `${' '.repeat(pick(2) === 0 ? column : column + 1)}# note: - {\n` : pick(9) === 0 ? '\n' : '';
    const anchor = typeof item !== 'string' && pick(6) === 0 ? ' &a' : '';
    const begin = dashes ? '-' : `${pick(30) === 0 ? '<<' : `k${at}`}:${anchor}`;
    return `${' '.repeat(column)}${begin}${write(item, column + 2, pick, dashes)}${note}`;
  });
  const text = lines.join('');
  // The first entry of a list item may be on the line of its dash.
  return isItem && pick(2) === 0 ? ` ${text.slice(column)}` : `\n${text}`;
};

const snippets = [
  ...[
    'x',
    'y z',
    ' ',
    '  ',
    '\n',
    '\n  ',
    '- ',
    '-',
    ':',
    ': ',
    'k: 1',
    '#',
    ' # c',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ',',
    '|',
    '>',
  ],
  ...[
    '? ',
    '&a ',
    '*a',
    '!!str ',
    '---\n',
    '...\n',
    '%YAML 1.2\n',
    '\t',
    '\r\n',
    '<<: ',
    '\0',
    '- k: v\n',
    'new:\n  - 1\n',
    '\n\n',
  ],
];

interface Change {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.constantFrom(0, 0, 0, 1, 2, 5, 12),
    insert: fc.oneof(fc.constantFrom(...snippets), fc.constant('')),
  }),
  { minLength: 1, maxLength: 8 },
);

const apply = (text: string, { at, remove, insert }: Change, from: number, end: number): string => {
  const place = from + Math.floor(at * (end - from));
  return text.slice(0, place) + insert + text.slice(place + remove);
};

const rootOf = (reading: SyntaxReading): SyntaxNode | undefined => (reading.ok ? reading.root : undefined);

/** Checks that rereading a changed text gives the same as reading all of it, and returns which of the two was done. */
const compare = (changed: string): { readonly how: 'reread' | 'whole'; readonly root: SyntaxNode | undefined } => {
  const found = rereadYaml(changed);
  const root = rootOf(readWholeYaml(changed));
  expect(rootOf(readYaml(changed))).toEqual(root);
  return { how: found === undefined ? 'whole' : 'reread', root };
};

describe('a text that differs slightly from one that was read before', () => {
  it('gives the same as if it were read as a whole, whatever changed', () => {
    const counts = { reread: 0, whole: 0 };
    fc.assert(
      fc.property(trees, fc.infiniteStream(fc.nat()), changes, fc.boolean(), (tree, whims, typed, isLast) => {
        const pick: Pick = (count) => (whims.next().value ?? 0) % count;
        const head = `${padding('p').join('\n')}\nz: &p { m: [1] }\n`;
        const aliases = `y: *p\n${pick(2) === 0 ? 'x: *a\n' : ''}`;
        const tail = isLast ? '' : `${padding('q').join('\n')}\n${aliases}`;
        let text = `${head}m:${write(tree, 2, pick, false)}${tail}`;
        if (!readYaml(text).ok) return;
        for (const change of typed) {
          const changed = apply(text, change, head.length, text.length - tail.length);
          const { how, root } = compare(changed);
          if (root === undefined) continue;
          counts[how] += 1;
          text = changed;
        }
      }),
      dearLawRuns,
    );
    expect(counts.reread).toBeGreaterThan(counts.whole / 4);
  });

  const targets = padding('p')
    .map((line) => `  ${line}`)
    .join('\n');

  it('is reread in a single block, even inside an anchor that aliases repeat', () => {
    const text = `first:\n  params: &shared\n    model: gpt\n    max: 1\nothers:\n${targets}\nagain: *shared\n`;
    expect(readYaml(text).ok).toBe(true);
    for (const typed of ['gpt-', 'gpt-5', 'gpt-55', 'x: 1 # no']) {
      const changed = text.replace('gpt', typed);
      const found = rereadYaml(changed);
      const isRead = typed !== 'x: 1 # no';
      expect(found !== undefined).toBe(isRead);
      if (isRead) expect(found).toEqual(rootOf(readWholeYaml(changed)));
    }
  });

  it.each([
    ['a key at the beginning of an object', 'first:\n  key: 1\n  other: 2\n', '', 'key', 'longer'],
    ['an anchor that a later alias uses', 'a: &x 1\nb:\n  c: 2\n  d: 3\n', 'e: *x\n', 'c: 2', 'c: &x 2'],
    ['the end of nested objects', '', 'a:\n  b:\n    c: 1\n    d: 2\n', 'd: 2\n', 'd: 2 # two\n# more\n'],
    ['the end before a comment', '', 'a:\n  b:\n    c: 1\n  # of a\n', 'c: 1', 'c: 12'],
    ['the end without a line break', '', 'a:\n  b:\n    c: 1', 'c: 1', 'c: 1\n    d: 2'],
    ['the end of a list item', 'a:\n  - b: 1\n  - c\n', '', '- b: 1', '- b: 1\n    d: |+\n      x\n'],
    ['a value to a quote that is not closed', 'a:\n  b: 1\n  c: 2\n', '', 'b: 1', 'b: "1'],
    ['the indentation of an item', 'a:\n  b: 1\n  c: 2\n  d: 3\n', '', '  c: 2', '   c: 2'],
    ['a line break before an item', 'a:\n  b: 1\n  c: 2\n  d: 3\n', '', '1\n  c', '1  c'],
  ])('gives the same as if it were read as a whole after a change of %s', (_, begin, end, before, after) => {
    const text = `${begin}all:\n${targets}\n${end}`;
    expect(readYaml(text).ok).toBe(true);
    compare(text.replace(before, after));
  });

  it('is read as a whole if an object merges members of another', () => {
    const text = `base: &b\n  model: x\n  max: 1\nall:\n${targets}\nuser:\n  <<: *b\n  model: y\n`;
    expect(readYaml(text).ok).toBe(true);
    expect(rereadYaml(text.replace('model: x', 'models: x'))).toBeUndefined();
  });
});
