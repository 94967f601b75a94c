import { describe, expect, it } from 'vitest';
import { importTree } from '../../compiler/cli/import/import.ts';
import { searchWords } from '../../docs/.vitepress/search-words.ts';
import { hasFileEnding } from '../../schema/config/file-names.ts';
import { runGw } from '../support/commands/run-gw.ts';
import { createExampleFolder } from '../support/readme/example-folder.ts';
import { isSampled } from '../support/run/sampled-pairs.ts';
import { recipeBlocks } from './support/recipe-blocks.ts';
import { readRecipe, recipePages } from './support/recipe-pages.ts';
import { startRecipeUpstream } from './support/recipe-upstream.ts';
import { runRecipe } from './support/run-recipe.ts';

const index = readRecipe('README.md');

const [importable = ''] = importTree.spec?.positionals?.split(' ') ?? [];

it.each(importable.split('|'))(
  'a recipe explains how to move from %s, with the command that imports its files',
  (kind) => {
    expect(recipePages).toContain(`move-from-${kind}.md`);
    expect(readRecipe(`move-from-${kind}.md`)).toMatch(new RegExp(`^gw import ${kind} \\S+ --out \\S+$`, 'm'));
  },
);

/** Each recipe starts its own gateways, so each sample follows a different quarter of them. */
const followed = recipePages.filter((_, at) => isSampled(at, 0, 4));

it.concurrent.each(followed)('the recipe %s does what it says', async (file) => {
  using place = createExampleFolder();
  const upstream = await startRecipeUpstream();
  const problems = await runRecipe(readRecipe(file), { folder: place, upstream, installs: false });
  await upstream.close();
  expect(problems.join('\n\n')).toBe('');
});

describe.concurrent.each(recipePages)('the recipe %s', (file) => {
  const markdown = readRecipe(file);
  const blocks = recipeBlocks(markdown);

  it('has configs with no compiler findings but notes', async () => {
    using checked = createExampleFolder();
    const files = blocks.flatMap(({ file: name, text }) =>
      name !== undefined && hasFileEnding(name) ? [{ name, text }] : [],
    );
    for (const { name, text } of files) checked.write(name, text);
    const configs = files.filter(({ name }) => name.startsWith('configs/')).map(({ name }) => name);
    if (configs.length === 0) return;
    const { out, err } = await runGw(checked.path, ['check', ...new Set(configs), '--max-warnings', '0']);
    expect(`${out}${err}`).toMatch(
      /^(?:\d+ files?, nothing to report|[\s\S]*\n\n\d+ notes? in \d+ files?)\.\n(?:For details of a code, run gw explain .*\n)?$/,
    );
  });

  it('gives a reason for each block that is not run', () => {
    const unexplained = blocks.filter(({ run, reason }) => run !== 'tested' && !/\w+ \w+ \w+/.test(reason));
    expect(unexplained.map(({ line }) => `line ${line}`)).toEqual([]);
  });

  it('has no program that no command starts', () => {
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const programs = blocks.flatMap(({ file: name = '' }) => (/\.(?:m?[jt]s|py)$/.test(name) ? [name] : []));
    expect(programs.filter((name) => !commands.some((text) => text.includes(name)))).toEqual([]);
  });

  it('starts a gateway, and explains the most common mistake', () => {
    expect(
      blocks.some(({ language, run, text }) => language === 'sh' && run === 'tested' && /\bgw serve\b/.test(text)),
    ).toBe(true);
    expect(markdown).toContain('**What goes wrong most often.**');
  });

  it('fits one screen, and its title is in the index', () => {
    expect(markdown.split('\n').length).toBeLessThanOrEqual(100);
    const [title = ''] = markdown.split('\n');
    expect(index).toContain(`[${title.replace(/^# /, '')}](${file})`);
  });

  it('is in the index under words that people search for', () => {
    const [, words = ''] = /^## By what you look for$([\s\S]*?)^## /m.exec(index) ?? [];
    const named = [...words.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(([, word = '', target]) =>
      target === file ? [word.toLowerCase()] : [],
    );
    const sought = searchWords[`recipes/${file}`] ?? [];
    const [title = ''] = markdown.toLowerCase().split('\n');
    expect(named.filter((word) => !sought.includes(word))).toEqual([]);
    expect(sought.length === 0 || named.length > 0 || sought.some((word) => title.includes(word))).toBe(true);
  });
});
