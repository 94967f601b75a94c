/** The commands of `gw`, as its help lists them. */
export const commandSummaries = {
  check: 'Find the mistakes in routing configs.',
  compile: 'Write configs as plans and typed modules.',
  explain: 'Show the plan of a config, and how a request goes through it.',
  plugin: 'Make, list and verify plugins.',
  serve: 'Run the gateway.',
} as const;

export type CommandName = keyof typeof commandSummaries;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commandSummaries, name);

/** The text of `gw --help`. */
export const mainHelp = (): string =>
  [
    'Usage: gw COMMAND [arguments]',
    '',
    'Compiles routing configs for language-model traffic into checked plans, and runs them.',
    '',
    'Commands:',
    ...Object.entries(commandSummaries).map(([name, summary]) => `  ${name.padEnd(8)}  ${summary}`),
    '',
    'Options:',
    '  --help     Print this; gw COMMAND --help says more about one.',
    '  --version  Print the version.',
    '',
  ].join('\n');
