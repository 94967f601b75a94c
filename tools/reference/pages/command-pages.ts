import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { commandTree, ownCommands } from '../../../gw/commands.ts';
import type { CommandSpec, CommandTree } from '../../../schema/command-help/command-spec.ts';
import { commandDetails } from '../command-details.ts';
import { code, described, fence, prose, type ReferencePage, table, toPage } from '../markdown.ts';

const optionRows = ({ options }: CommandSpec): readonly (readonly string[])[] => [
  ...Object.entries(options).map(([name, { value, choices, describe, many }]) => [
    code([`--${name}`, choices?.join('|') ?? value].filter((part) => part !== undefined).join(' ')),
    `${prose(described(describe, `--${name}`))}${many === true ? ' Can be repeated.' : ''}`,
  ]),
  ['`--help`', 'Print the help text.'],
];

const toEntry = (heading: string, spec: CommandSpec): readonly string[] => {
  const { name, summary, positionals, examples = [], notes } = spec;
  return [
    heading,
    prose(described(summary, name)),
    fence('text', [name, positionals, '[options]'].filter((part) => part !== '').join(' ')),
    table(['option', 'description'], optionRows(spec)),
    ...(examples.length === 0 ? [] : ['Examples:', fence('sh', examples)]),
    ...(notes === undefined ? [] : ['Notes:', fence('text', notes.trim())]),
  ];
};

/** Returns a command and its subcommands, each with its words. */
const withWords = (words: string, tree: CommandTree): readonly (readonly [words: string, CommandTree])[] => [
  [words, tree],
  ...Object.entries(tree.commands ?? {}).flatMap(([word, inner]) => withWords(`${words} ${word}`, inner)),
];

const summaryOf = (words: string, { headline, spec }: CommandTree): string =>
  described(headline ?? spec?.summary ?? '', words);

const toCommandPage = (name: string, tree: CommandTree): ReferencePage => {
  const words = `gw ${name}`;
  const all = withWords(words, tree);
  const within = all.slice(1).filter(([, { spec }]) => spec !== undefined);
  return toPage(`commands/${name}.md`, {
    title: code(words),
    from: 'the table of commands (gw/commands.ts)',
    parts: [
      prose(summaryOf(words, tree)),
      ...(tree.spec === undefined ? [] : toEntry('', tree.spec).slice(2)),
      table(
        ['command', 'description'],
        within.map(([each, inner]) => [`[${code(each)}](#${toSlug(each)})`, prose(summaryOf(each, inner))]),
      ),
      ...within.flatMap(([each, { spec }]) => (spec === undefined ? [] : toEntry(`## ${code(each)}`, spec))),
      ...(commandDetails[name]?.() ?? []),
      '[All commands](README.md)',
    ],
  });
};

const index = (own: readonly Listed[], ofStores: readonly Listed[]): ReferencePage =>
  toPage('commands/README.md', {
    title: 'Commands',
    from: 'the table of commands (gw/commands.ts)',
    parts: [
      '`gw`, or `npx gatewright`. With `--help`, each command prints the same text as its page.',
      '## Commands for everyone',
      table(['command', 'description'], own.map(toRow)),
      '## Commands for a gateway with a store',
      'They call the gateway at `GW_URL` with the key in `GW_API_KEY`, or those of `--profile NAME`.',
      table(['command', 'description'], ofStores.map(toRow)),
      '## Exit codes',
      table(
        ['exit code', 'means'],
        [
          ['0', 'done'],
          ['1', 'the command ran, and found errors or failed'],
          ['2', 'the command line or a path is invalid'],
        ],
      ),
      'If there are several reasons, the highest number applies. `gw diff` exits with 1 if something changes. `gw apply --detailed-exitcode` has its own codes, which its page lists.',
    ],
  });

type Listed = readonly [name: string, tree: CommandTree];

const toRow = ([name, tree]: Listed): readonly string[] => [
  `[${code(`gw ${name}`)}](${name}.md)`,
  prose(summaryOf(name, tree)),
];

/** Creates a page for each command, and their index. */
export const commandPages = async (): Promise<readonly ReferencePage[]> => {
  const { commands = {} } = await commandTree();
  const all: readonly Listed[] = Object.entries(commands);
  const isOwn = ([name]: Listed): boolean => ownCommands.some((each) => each.name === name);
  return [
    index(
      all.filter(isOwn),
      all.filter((each) => !isOwn(each)),
    ),
    ...all.map(([name, tree]) => toCommandPage(name, tree)),
  ];
};
