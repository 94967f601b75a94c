import type { CommandSpec } from './command-spec.ts';

/** Returns the text of `gw <command> --help`. */
export const commandHelp = ({ name, summary, positionals, options, notes, examples = [] }: CommandSpec): string => {
  const flags = [
    ...Object.entries(options).map(([flag, { value, choices, describe }]) => ({
      flag: [`--${flag}`, choices?.join('|') ?? value].filter((part) => part !== undefined).join(' '),
      describe,
    })),
    { flag: '-h, --help', describe: 'Print this.' },
  ];
  const width = Math.max(...flags.map(({ flag }) => flag.length));
  return [
    `Usage: ${[name, positionals, '[options]'].filter((part) => part !== '').join(' ')}`,
    '',
    summary,
    '',
    'Options:',
    ...flags.map(({ flag, describe }) => `  ${flag.padEnd(width)}  ${describe}`),
    ...(examples.length === 0
      ? []
      : ['', `Example${examples.length === 1 ? '' : 's'}:`, ...examples.map((line) => `  ${line}`)]),
    ...(notes === undefined ? [] : ['', notes.trimEnd()]),
    '',
  ].join('\n');
};
