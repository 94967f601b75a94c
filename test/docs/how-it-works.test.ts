import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/build/package-modules.ts';
import { createExampleFolder } from '../support/readme/example-folder.ts';
import { isTest, namedTests } from '../support/readme/named-tests.ts';
import { recipeBlocks } from './support/recipe-blocks.ts';
import { startRecipeUpstream } from './support/recipe-upstream.ts';
import { runRecipe } from './support/run-recipe.ts';

const folder = path.join(root, 'docs/how-it-works');
const toText = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const pages = globSync('*.md', { cwd: folder })
  .filter((file) => file !== 'README.md')
  .sort();
const index = toText('README.md');

/** Pages that promise nothing about the gateway. */
const isWithoutPromises = (file: string): boolean => file === 'comparison.md';

describe.concurrent.each(pages)('the page %s', (file) => {
  const markdown = toText(file);
  const blocks = recipeBlocks(markdown);

  it('does what it says', async () => {
    using place = createExampleFolder();
    const upstream = await startRecipeUpstream();
    const problems = await runRecipe(markdown, { folder: place, upstream, installs: false });
    await upstream.close();
    expect(problems.join('\n\n')).toBe('');
  });

  it('gives a reason for each command that is not run', () => {
    const unexplained = blocks.filter(
      ({ language, run, reason }) => language === 'sh' && run !== 'tested' && !/\w+ \w+ \w+/.test(reason),
    );
    expect(unexplained.map(({ line }) => `line ${line}`)).toEqual([]);
  });

  it('names existing tests for its promises', () => {
    const names = namedTests(markdown);
    if (!isWithoutPromises(file)) expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !isTest(name))).toEqual([]);
  });

  it('is at most two screens long, and is listed in the index', () => {
    expect(markdown.split('\n').length).toBeLessThanOrEqual(130);
    const [title = ''] = markdown.split('\n');
    expect(index).toContain(`[${title.replace(/^# /, '')}](${file})`);
  });
});

it('the figures of the performance page match the benchmark', () => {
  const tables = globSync('test/bench/**/README.md', { cwd: root });
  const measured = tables.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const known = new Set(measured.match(/\d[\d,.]*\d|\d/g));
  const rows = toText('performance.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('`test/`'));
  const figures = rows
    .flatMap((row) => row.split(' | ').slice(1))
    .flatMap((cell) => cell.match(/\d[\d,.]*\d|\d/g) ?? []);
  expect(figures.length).toBeGreaterThan(40);
  expect(figures.filter((figure) => !known.has(figure))).toEqual([]);
});

describe('the comparison page', () => {
  const cells = toText('comparison.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| gateway |'))
    .map((line) => line.split(' | '));

  it('has a link or a command in each cell, or says that nothing was seen', () => {
    expect(cells.length).toBeGreaterThan(40);
    const unproved = cells.filter(([, said = '']) => !/\]\(|not seen/.test(said));
    expect(unproved).toEqual([]);
  });

  it('links to pages of the makers of other gateways', () => {
    const makers =
      /^https:\/\/(?:portkey\.ai|github\.com\/Portkey-AI|docs\.litellm\.ai|docs\.getbifrost\.ai|developer\.konghq\.com|openrouter\.ai|developers\.cloudflare\.com)\//;
    const links = cells.flatMap(([gateway = '', said = '']) =>
      gateway.includes('Gatewright') ? [] : [...said.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url),
    );
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter((url) => !makers.test(url))).toEqual([]);
  });
});

it('the named tests are found in each row of each table', () => {
  const table = '| a | Shown in `test/` |\n|---|---|\n| `x` | `one`, `two/three` |\n';
  expect(namedTests(`${table}\nText.\n\n${table.replace('one', 'four')}`)).toEqual([
    'one',
    'two/three',
    'four',
    'two/three',
  ]);
  expect(isTest('docs')).toBe(true);
  expect(isTest('docs/how-it-works')).toBe(true);
  expect(isTest('docs/how-it-never-works')).toBe(false);
});
