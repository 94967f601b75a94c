import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedCodes } from '../../compiler/cli/explain/error-codes/explain-code.ts';
import { diagnosticTable } from '../../compiler/diagnostics/table.ts';
import { errorTable } from '../../schema/errors/errors.ts';
import { root } from '../../tools/build/package-modules.ts';

const files = globSync('docs/**/*.md', { cwd: root }).sort();
const readPage = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const codes: ReadonlySet<string> = new Set([
  ...Object.keys(diagnosticTable),
  ...Object.keys(errorTable),
  ...sharedCodes.keys(),
]);

/** Whether a word of pages about probes is also the name of an error. */
const isWordOfProbes = (code: string): boolean => code === 'draining';

/**
 * Returns the codes in a page's prose that do not link to their explanation. Headings and the table of shared codes need no
 * link.
 */
const unexplained = (markdown: string): readonly string[] => {
  const prose = markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^#.*$|^\| `AB\d\d` \|/gm, '')
    .replace(/\[(?:[^[\]]|\[[^\]]*\])*\]\([^)]*\)/g, '');
  return [...prose.matchAll(/`([a-z-]+)`|\b(AB\d\d)\b/g)]
    .map(([, named = '', shared = named]) => shared)
    .filter((name) => codes.has(name) && !isWordOfProbes(name));
};

describe('a code of a diagnostic or an error', () => {
  it('is reported if it is not a link', () => {
    expect(unexplained('A 503 `overloaded`, or AB03.')).toEqual(['overloaded', 'AB03']);
    expect(unexplained('# `overloaded`\n\nA [`overloaded`](errors/limits.md#overloaded) and `others`.')).toEqual([]);
    expect(unexplained('```json\n{"code":"overloaded"}\n```\n')).toEqual([]);
  });

  it.each(files)('links to its entry wherever prose names it: %s', (file) => {
    expect(unexplained(readPage(file))).toEqual([]);
  });

  it.each(files.filter((file) => /"code":"AB\d\d"/.test(readPage(file))))('is explained where %s prints it', (file) => {
    const markdown = readPage(file);
    for (const [, code = ''] of markdown.matchAll(/"code":"(AB\d\d)"/g)) expect(markdown).toContain(`[\`${code}\`](`);
  });
});
