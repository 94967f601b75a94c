import { describe, expect, it } from 'vitest';
import { commandTree } from '../../../gw/commands.ts';
import type { CommandTree } from '../../../schema/command-help/command-spec.ts';
import { headings, pages } from './support.ts';

const { commands = {} } = await commandTree();

const withWords = (words: string, tree: CommandTree): readonly (readonly [string, CommandTree])[] => [
  [words, tree],
  ...Object.entries(tree.commands ?? {}).flatMap(([word, inner]) => withWords(`${words} ${word}`, inner)),
];

describe.each(Object.entries(commands))('the reference of gw %s', (name, tree) => {
  const page = pages.get(`commands/${name}.md`) ?? '';

  it('has each of its commands with all options and examples', () => {
    for (const [words, { spec }] of withWords(`gw ${name}`, tree)) {
      if (spec === undefined) continue;
      if (words !== `gw ${name}`) expect(headings(`commands/${name}.md`)).toContain(words);
      const own = page.split(`\n## \`${words}\`\n`)[1]?.split('\n## ')[0] ?? page;
      for (const option of Object.keys(spec.options)) expect(own, words).toContain(`--${option}`);
      for (const example of spec.examples ?? []) expect(own.split('\n'), words).toContain(example);
    }
  });

  it('is listed in the index', () => {
    expect(pages.get('commands/README.md')).toContain(`[\`gw ${name}\`](${name}.md)`);
  });
});
