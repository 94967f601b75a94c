import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasFileEnding } from '../../schema/config/file-names.ts';
import { root } from '../../tools/build/package-modules.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { createExampleFolder } from '../support/readme/example-folder.ts';
import { recipeBlocks } from './support/recipe-blocks.ts';
import { startRecipeUpstream } from './support/recipe-upstream.ts';
import { runRecipe } from './support/run-recipe.ts';

const folder = path.join(root, 'docs/start');
const toText = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const pages = globSync('*.md', { cwd: folder })
  .filter((file) => file !== 'README.md')
  .sort();

describe.concurrent.each(pages)('the start page %s', (file) => {
  const markdown = toText(file);
  const blocks = recipeBlocks(markdown);

  it('does what it says', async () => {
    using place = createExampleFolder();
    const upstream = await startRecipeUpstream();
    const problems = await runRecipe(markdown, { folder: place, upstream, installs: false });
    await upstream.close();
    expect(problems.join('\n\n')).toBe('');
  });

  it('has configs without compiler findings', async () => {
    using place = createExampleFolder();
    const configs = blocks.flatMap(({ file: name, text }) =>
      name?.startsWith('configs/') && hasFileEnding(name) ? [{ name, text }] : [],
    );
    if (configs.length === 0) return;
    for (const { name, text } of configs) place.write(name, text);
    const { out } = await runGw(place.path, ['check', ...configs.map(({ name }) => name), '--max-warnings', '0']);
    expect(out).toMatch(/nothing to report/);
  });

  it('gives a reason for each block that is not run', () => {
    const unexplained = blocks.filter(({ run, reason }) => run !== 'tested' && !/\w+ \w+ \w+/.test(reason));
    expect(unexplained.map(({ line }) => `line ${line}`)).toEqual([]);
  });

  it('fits one screen, and is listed in the index', () => {
    expect(markdown.split('\n').length).toBeLessThanOrEqual(85);
    expect(toText('README.md')).toContain(`](${file})`);
  });
});
