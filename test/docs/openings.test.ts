import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/package-modules.ts';
import { commandLines } from '../support/readme/command-lines.ts';
import { readFences } from '../support/readme/read-fences.ts';

const files = globSync('docs/{start,recipes,how-it-works}/*.md', { cwd: root }).sort();
const readPage = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Whether a page has a command that begins with `gw`, which only some installations have in the `PATH`. */
const runsGw = (markdown: string): boolean =>
  readFences(markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap(commandLines)
    .some(({ text }) => /(?:^|[\s;&|(])(?<!npx )gw\s/.test(text));

/** The line below the title, which a reader sees who opens this page first. */
const openingOf = (markdown: string): string => /^# .+\n(> .+)\n\n/.exec(markdown)?.[1] ?? '';

describe('a page that is opened first', () => {
  const running = files.filter((file) => runsGw(readPage(file)));

  it('has a command of gw in most cases', () => {
    expect(running.length).toBeGreaterThan(70);
    expect(runsGw('```sh\nnpx gw serve\n```\n')).toBe(false);
    expect(runsGw('```sh\nGW_LOG=requests gw serve\n```\n')).toBe(true);
  });

  it.each(running)('says below its title what gw is: %s', (file) => {
    const start = path.posix.relative(path.posix.dirname(file), 'docs/start/package.md');
    expect(openingOf(readPage(file))).toContain(
      `\`gw\` is \`npx gw\`, after \`npm install gatewright\` ([start](${start})).`,
    );
  });
});
