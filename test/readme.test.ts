import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks } from './support/readme/broken-links.ts';
import { isTest, namedTests } from './support/readme/named-tests.ts';
import { runExamples } from './support/readme/run-examples.ts';

const repository = path.join(import.meta.dirname, '..');

const ignored = /(^|\/)(node_modules|dist|reports|coverage|\.[^/]+)(\/|$)/;

const markdownFiles: readonly string[] = globSync('**/*.md', { cwd: repository, exclude: (name) => ignored.test(name) })
  .map((file) => file.split(path.sep).join('/'))
  .sort();

const readmes = markdownFiles.filter((file) => path.basename(file) === 'README.md');

const toText = (file: string): string => readFileSync(path.join(repository, file), 'utf8');

describe('in the documentation', () => {
  it('README.md has only examples that work', { timeout: 120_000 }, async () => {
    const { examples, problems } = await runExamples(toText('README.md'));
    expect(problems.join('\n\n')).toBe('');
    expect(examples).toBeGreaterThan(10);
  });

  it('README.md fits on one screen', () => {
    expect(toText('README.md').split('\n').length).toBeLessThanOrEqual(130);
  });

  it('README.md links to the four parts of the documentation', () => {
    for (const part of ['start', 'recipes', 'reference', 'how-it-works'])
      expect(toText('README.md')).toContain(`](docs/${part}/README.md)`);
  });

  it('SECURITY.md names only tests that exist', () => {
    const names = namedTests(toText('SECURITY.md'));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !isTest(name))).toEqual([]);
  });

  it.each(readmes.filter((file) => file !== 'README.md'))('%s has only examples that work', async (file) => {
    const { problems } = await runExamples(toText(file));
    expect(problems.join('\n\n')).toBe('');
  });

  it.each(readmes)('%s begins with its title and repeats no row of a table', (file) => {
    const lines = toText(file)
      .replace(/^<!-- Made from .* -->\n+/, '')
      .split('\n');
    expect(lines[0]).toMatch(/^# /);
    const rows = lines.filter((line) => /^\|.*[a-z]/.test(line) && lines.indexOf(line) !== lines.lastIndexOf(line));
    expect(rows.filter((row) => (row.match(/\|/g)?.length ?? 0) > 2 && /`/.test(row))).toEqual([]);
  });

  it.each(markdownFiles)('%s has no broken link', (file) => {
    expect(brokenLinks(toText(file), path.dirname(path.join(repository, file)))).toEqual([]);
  });
});
