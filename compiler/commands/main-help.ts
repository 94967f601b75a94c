/** The commands of `gw`, as its help lists them. */
export const commandSummaries = {
  backup: 'Copy the store of a gateway to a file.',
  check: 'Find the mistakes in routing configs.',
  compile: 'Write configs as plans and typed modules.',
  configs: 'Save configs on a gateway.',
  explain: 'Show the plan of a config, and how a request goes through it.',
  keys: 'Make, rotate and revoke the service keys of a gateway.',
  plugin: 'Make, list and verify plugins.',
  prompts: 'Store prompts on a gateway, publish and render them.',
  providers: 'Save providers and their credentials on a gateway.',
  serve: 'Run the gateway.',
} as const;

export type CommandName = keyof typeof commandSummaries;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commandSummaries, name);

const width = Math.max(...Object.keys(commandSummaries).map((name) => name.length));

/** The text of `gw --help`. */
export const mainHelp = (): string =>
  [
    'Usage: gw COMMAND [arguments]',
    '',
    'Compiles routing configs for language-model traffic into checked plans, and runs them.',
    '',
    'Commands:',
    ...Object.entries(commandSummaries).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Options:',
    '  --help     Print this; gw COMMAND --help says more about one.',
    '  --version  Print the version.',
    '',
  ].join('\n');
