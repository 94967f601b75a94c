import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { formatText } from '../../../compiler/format/format-text.ts';
import { toJsonPieces } from '../../../compiler/format/json-pieces.ts';
import { yamlComments } from '../../../compiler/format/yaml-comments.ts';
import { fileFormat, readTree } from '../../../compiler/parse/read-tree.ts';
import { toValue } from '../../../compiler/parse/syntax-tree.ts';
import type { Json } from '../../../schema/json/json.ts';
import { config } from '../../support/arbitraries/config.ts';
import { scriptedCatalogue } from '../../support/arbitraries/scripted-catalogue.ts';
import { writeJsonc } from '../../support/plans/write-jsonc.ts';
import { writeYaml } from '../../support/plans/write-yaml.ts';
import { dearestLawRuns, dearLawRuns } from '../../support/run/law-runs.ts';

const seeds = fc.infiniteStream(fc.nat(0xffff));

const readValue = (text: string, format: 'jsonc' | 'yaml'): Json => {
  const reading = readTree(text, format);
  if (!reading.ok) throw new Error(`${reading.why}:\n${text}`);
  return toValue(reading.root);
};

const commentsOf = (text: string): readonly string[] =>
  toJsonPieces(text).flatMap(({ kind, text: comment }) => (kind === 'comment' ? [comment.replace(/\s+/g, ' ')] : []));

const planOf = (text: string, file: string): unknown => {
  const { plan, diagnostics } = compile(text, { trust: 'operator', catalogue: scriptedCatalogue, file, name: 'a' });
  return [plan?.hash, plan === undefined ? diagnostics.map(({ message }) => message) : []];
};

describe('formatText', () => {
  it('formats JSON, and keeps its comments in place and its blank lines', async () => {
    const text = `// top

/* two */ { // ours
"a":1,// one
   "b" : [1,2 ,3,], /* x */ "c":{"d":[{"x":1,"y":2},{"x":1,"y":2}]

},


  // gone
  "e": /* odd */ {}, "f": { /* in */ }, "i": [
  ], "g": {
   "h": 1e3}
  // end
} // after
// last`;
    expect(await formatText(text, 'jsonc')).toBe(`// top

/* two */
{ // ours
  "a": 1, // one
  "b": [1, 2, 3],
  /* x */
  "c": {
    "d": [
      { "x": 1, "y": 2 },
      { "x": 1, "y": 2 }
    ]
  },

  // gone
  /* odd */
  "e": {},
  "f": {
    /* in */
  },
  "i": [],
  "g": {
    "h": 1e3
  }
  // end
} // after
// last
`);
  });

  it('formats YAML, and keeps quotes, numbers and folded lines as they are written', async () => {
    const text = `# top
a:   1   # one
b:
- x
-   y: 2
    z: 'it''s'


# mid
c: {a: 1,b: [1,2]}
d: |
    # no comment
    text
e: "caf\\u00e9"
f: 1e3
g: &x {q: 0x1F}
h: *x
i: >-
    long words
    folded
k: plain
      goes on
`;
    expect(await formatText(text, 'yaml')).toBe(`# top
a: 1 # one
b:
  - x
  - y: 2
    z: 'it''s'

# mid
c: { a: 1, b: [1, 2] }
d: |
  # no comment
  text
e: "caf\\u00e9"
f: 1e3
g: &x { q: 0x1F }
h: *x
i: >-
  long words
  folded
k: plain
  goes on
`);
  });

  it('keeps spaces at the end of folded lines, which belong to the value', async () => {
    const folded = 'a:   >-\n    one \n    two\n   \n      three \n    four  \n\n  \nb: 1\n';
    expect(await formatText(folded, 'yaml')).toBe('a: >-\n  one \n  two\n\n    three \n  four  \n\nb: 1\n');
  });

  it('makes one of several blank lines between comments of YAML', async () => {
    const text = '# a\n\n\n\n# b\nc: 1 # d\n# e\n\n\n\n# f\ng:\n  # h\n\n\n  # i\n  - 1\n';
    expect(await formatText(text, 'yaml')).toBe('# a\n\n# b\nc: 1 # d\n# e\n\n# f\ng:\n  # h\n\n  # i\n  - 1\n');
  });

  it('breaks up what is too long for a line, and does not join an object that has its own lines', async () => {
    const words = Array.from({ length: 30 }, (_, index) => index + 100_000);
    const formatted = await formatText(`{"a": ${JSON.stringify(words)}, "b": {\n"c": 1}, "d": {"c": 1}}`, 'jsonc');
    expect(formatted).toBe(
      `{\n  "a": [\n    ${words.join(',\n    ')}\n  ],\n  "b": {\n    "c": 1\n  },\n  "d": { "c": 1 }\n}\n`,
    );
  });

  it.each([
    ['\uFEFF{"a":1}', 'jsonc', '{ "a": 1 }\n'],
    ['{\r\n"a":1}', 'jsonc', '{\r\n  "a": 1\r\n}\r\n'],
    ['{\n"a":1,\r\n"b":2}', 'jsonc', '{\n  "a": 1,\n  "b": 2\n}\n'],
    ['a:   1\r\n', 'yaml', 'a: 1\r\n'],
    ['{"a":1,"a":2}', 'jsonc', '{ "a": 1, "a": 2 }\n'],
  ] as const)(
    'keeps line breaks and repeated members, and drops a byte order mark: %j',
    async (text, format, wanted) => {
      expect(await formatText(text, format)).toBe(wanted);
    },
  );

  it('formats every JSON text idempotently, and changes neither its value nor its comments', async () => {
    const value = fc.oneof(
      config,
      fc.json().map((text): Json => JSON.parse(text)),
    );
    await fc.assert(
      fc.asyncProperty(value, seeds, async (each, numbers) => {
        const text = writeJsonc(each, (count) => (numbers.next().value ?? 0) % count);
        const formatted = (await formatText(text, 'jsonc')) ?? '';
        expect(JSON.stringify(readValue(formatted, 'jsonc'))).toBe(JSON.stringify(readValue(text, 'jsonc')));
        expect(commentsOf(formatted)).toEqual(commentsOf(text));
        expect(await formatText(formatted, 'jsonc')).toBe(formatted);
      }),
      dearLawRuns,
    );
  });

  it('formats every YAML text idempotently, and changes neither its value nor its comments', async () => {
    const value = fc.oneof(
      config,
      fc.json().map((text): Json => JSON.parse(text)),
    );
    await fc.assert(
      fc.asyncProperty(value, fc.nat(), async (each, seed) => {
        const { text } = writeYaml(each, seed);
        const formatted = await formatText(text, 'yaml');
        if (formatted === undefined) throw new Error(`It is left:\n${text}`);
        expect(JSON.stringify(readValue(formatted, 'yaml'))).toBe(JSON.stringify(readValue(text, 'yaml')));
        expect(yamlComments(formatted)).toEqual(yamlComments(text));
        expect(await formatText(formatted, 'yaml')).toBe(formatted);
      }),
      dearestLawRuns,
    );
  });

  it('changes no plan, whatever the config and its formatting are', async () => {
    await fc.assert(
      fc.asyncProperty(config, fc.nat(), seeds, async (each, seed, numbers) => {
        const jsonc = writeJsonc(each, (count) => (numbers.next().value ?? 0) % count);
        for (const [file, text] of [
          ['a.jsonc', jsonc],
          ['a.yaml', writeYaml(each, seed).text],
        ] as const) {
          const before = planOf(text, file);
          expect(before).toEqual([expect.any(String), []]);
          expect(planOf((await formatText(text, fileFormat(file))) ?? '', file)).toEqual(before);
        }
      }),
      { ...dearestLawRuns, numRuns: Math.ceil(dearestLawRuns.numRuns / 2) },
    );
  });
});
