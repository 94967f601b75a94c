import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/package-modules.ts';
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

/** Pages that promise nothing of the gateway. */
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

  it('says of each command that is not run why that is so', () => {
    const unexplained = blocks.filter(
      ({ language, run, reason }) => language === 'sh' && run !== 'tested' && !/\w+ \w+ \w+/.test(reason),
    );
    expect(unexplained.map(({ line }) => `line ${line}`)).toEqual([]);
  });

  it('names tests that exist for what it promises', () => {
    const names = namedTests(markdown);
    if (!isWithoutPromises(file)) expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !isTest(name))).toEqual([]);
  });

  it('is at most two screens, and the index has it', () => {
    expect(markdown.split('\n').length).toBeLessThanOrEqual(130);
    const [title = ''] = markdown.split('\n');
    expect(index).toContain(`[${title.replace(/^# /, '')}](${file})`);
  });
});

it('the tests that tables name are found in each row of each table', () => {
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
