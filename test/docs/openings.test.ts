import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/build/package-modules.ts';
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

/**
 * Returns the models in requests that stand for the model of a config: not those of a vendor, with a number or a path, and
 * not those that the page's gateway file, or a file that it imports, declares.
 */
const standIns = (markdown: string): readonly string[] => {
  const programs = readFences(markdown).filter(({ language }) => /^(?:sh|js|ts|py)$/.test(language));
  const names = programs.flatMap(({ text }) =>
    [...text.matchAll(/(?<!override_params":\{")\bmodel\\?["']?\s*[:=]\s*\\?["']([a-z-]+)\\?["']/g)].map(
      ([, name = '']) => name,
    ),
  );
  const isDeclared = (name: string): boolean =>
    markdown.includes(`"${name}": "`) || markdown.includes(`model_name: ${name}\n`);
  return [...new Set(names)].filter((name) => name !== 'echo' && !isDeclared(name));
};

/** Returns the line below the title, for readers who open this page first. */
const openingOf = (markdown: string): string => /^# .+\n(> .+)\n\n/.exec(markdown)?.[1] ?? '';

describe('a page that is opened first', () => {
  const running = files.filter((file) => runsGw(readPage(file)));

  it('runs gw commands in most cases', () => {
    expect(running.length).toBeGreaterThan(70);
    expect(runsGw('```sh\nnpx gw serve\n```\n')).toBe(false);
    expect(runsGw('```sh\nGW_LOG=requests gw serve\n```\n')).toBe(true);
  });

  it.each(running)('explains below its title what gw is: %s', (file) => {
    const start = path.posix.relative(path.posix.dirname(file), 'docs/start/package.md');
    expect(openingOf(readPage(file))).toContain(
      `\`gw\` is \`npx gw\`, after \`npm install gatewright\` ([start](${start})).`,
    );
  });

  const paid = files
    .filter((file) => file.includes('/recipes/'))
    .filter((file) => /\bsk-|\bexport (?!GW_)\w*_KEY\w*=/.test(readPage(file)));

  it('needs a key of a vendor in most cases', () => {
    expect(paid.length).toBeGreaterThan(50);
  });

  it.each(paid)('explains below its title how to try it without an account: %s', (file) => {
    expect(openingOf(readPage(file))).toContain('No account? [Try it without one](README.md#without-an-account).');
  });

  const written = files
    .filter((file) => file.includes('/recipes/'))
    .map((file) => ({ file, names: standIns(readPage(file)) }));
  const standing = written.filter(({ names }) => names.length > 0);

  it('uses a placeholder model in many cases', () => {
    expect(standing.length).toBeGreaterThan(30);
    expect(standIns('```sh\ncurl -d \'{"model":"any"}\'\n```\n')).toEqual(['any']);
    expect(
      standIns('```json gateway.json\n{ "fast": "@a/b" }\n```\n```sh\ncurl -d \'{"model":"fast"}\'\n```\n'),
    ).toEqual([]);
  });

  it.each(standing)('explains below its title which model is sent: $file', ({ file, names }) => {
    for (const name of names)
      expect(openingOf(readPage(file))).toContain(
        `In place of the model \`${name}\`, [the config's is sent](README.md#the-model-that-is-sent).`,
      );
  });
});
