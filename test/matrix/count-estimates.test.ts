import { readFileSync } from 'node:fs';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimatedTokens } from '../../runtime/usage/request-bytes.ts';
import { dialects, isThere } from '../recordings/recorded.ts';
import { formatRatio, toRatios } from './estimates/ratios.ts';
import { recordedRatios } from './estimates/recorded-ratios.ts';
import { sampleTexts } from './estimates/sample-texts.ts';

const file = new URL('../COUNTS.md', import.meta.url);

const tokenizers = [
  ['o200k_base', new Tiktoken(o200k)],
  ['cl100k_base', new Tiktoken(cl100k)],
] as const;

const measured = sampleTexts.map(({ kind, text }) => ({
  kind,
  ratios: tokenizers.map(([, tokenizer]) => estimatedTokens(Buffer.byteLength(text)) / tokenizer.encode(text).length),
}));

const recorded = isThere ? recordedRatios() : [];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const textsTable = (): string =>
  table(
    ['text', ...tokenizers.map(([name]) => name)],
    measured.map(({ kind, ratios }) => [kind, ...ratios.map(formatRatio)]),
  );

const recordedTable = (): string =>
  table(
    ['dialect', 'answers', 'median', 'lowest', 'highest'],
    dialects.flatMap(({ id }) => {
      const ratios = recorded.filter(({ dialect }) => dialect === id).map(({ ratio }) => ratio);
      if (ratios.length === 0) return [];
      const { count, median, lowest, highest } = toRatios(ratios);
      return [[id, String(count), ...[median, lowest, highest].map(formatRatio)]];
    }),
  );

const recordedMark = '<!-- recorded -->\n';
const endMark = '\n<!-- end -->';

/** The part of the file about recorded traffic, which is kept if no recordings are next to the repository. */
const storedTable = (): string => {
  const [, rest = ''] = readFileSync(file, 'utf8').split(recordedMark);
  return rest.split(endMark)[0] ?? '';
};

const page = (): string => `# How well tokens are estimated

Where a provider has no endpoint that counts tokens, the gateway estimates them (\`x-gw-estimated: true\`): four bytes of text
are a token, and turns, calls, tools and media have a number of their own. Each figure is the estimate by the true count: at
1.00 they are equal. \`vitest run test/matrix/count-estimates.test.ts -u\` writes this file.

Of texts, by two tokenizers of OpenAI:

${textsTable()}

Of answers in recorded traffic, by the tokens that their providers charged for them. Its requests were not recorded. What
models thought, and what tools of the provider did, is left out.

${recordedMark}${isThere ? recordedTable() : storedTable()}${endMark}
`;

describe('the token estimate', () => {
  it('matches the measurements in COUNTS.md', async () => {
    await expect(page()).toMatchFileSnapshot('../COUNTS.md');
  });

  it.each(measured.map(({ kind, ratios }) => [kind, ratios] as const))(
    'for %s is within a factor of 3',
    (_, ratios) => {
      for (const ratio of ratios) {
        expect(ratio).toBeGreaterThan(0.35);
        expect(ratio).toBeLessThan(2.5);
      }
    },
  );

  it.each(['English', 'code', 'schema of a tool'])('for %s is within a third of the true count', (kind) => {
    for (const ratio of measured.find((each) => each.kind === kind)?.ratios ?? expect.unreachable()) {
      expect(ratio).toBeGreaterThan(0.67);
      expect(ratio).toBeLessThan(1.34);
    }
  });
});

describe('the token estimate for recorded answers (skipped if there are no recordings next to the repository)', () => {
  it.runIf(isThere)('is measured in every dialect', () => {
    expect(new Set(recorded.map(({ dialect }) => dialect))).toEqual(new Set(dialects.map(({ id }) => id)));
  });

  it.runIf(isThere)('is within a factor of 4 for each answer', () => {
    for (const { name, ratio } of recorded) {
      expect(ratio, name).toBeGreaterThan(0.25);
      expect(ratio, name).toBeLessThan(3);
    }
  });

  it.runIf(isThere)('has a median within two fifths of the true count', () => {
    const { median } = toRatios(recorded.map(({ ratio }) => ratio));
    expect(median).toBeGreaterThan(0.6);
    expect(median).toBeLessThan(1.4);
  });
});
