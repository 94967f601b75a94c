const local = {
  check: 'Find the mistakes in routing configs.',
  compile: 'Write configs as plans and typed modules.',
  explain: 'Show the plan of a config, and how a request goes through it.',
  plugin: 'Make, list and verify plugins.',
  serve: 'Run the gateway.',
} as const;

const ofStores = {
  backup: 'Copy the store to a file.',
  configs: 'Save configs, in versions.',
  guardrails: 'Save guardrails.',
  integrations: 'Save credentials that several workspaces use.',
  keys: 'Make, rotate and revoke service keys.',
  logs: 'Show what requests did, as they come too; analytics and feedback.',
  organisation: 'Show and change the settings of the organisation.',
  policies: 'Limit what requests may use, and see what they have used.',
  prompts: 'Store prompts, publish, render and run them; partials, labels and collections.',
  providers: 'Save providers and their credentials.',
  usage: 'Show what has been used, and what it cost.',
  'virtual-keys': 'Save credentials that requests name.',
  workspaces: 'Make workspaces, and change their settings.',
} as const;

/** The commands of `gw`, as its help lists them. */
export const commandSummaries: typeof local & typeof ofStores = { ...local, ...ofStores };

export type CommandName = keyof typeof commandSummaries;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commandSummaries, name);

const width = Math.max(...Object.keys(commandSummaries).map((name) => name.length));

const linesOf = (summaries: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(summaries).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);

/** The text of `gw --help`. */
export const mainHelp = (): string =>
  [
    'Usage: gw COMMAND [arguments]',
    '',
    'Compiles routing configs for language-model traffic into checked plans, and runs them.',
    '',
    'Commands:',
    ...linesOf(local),
    '',
    'Commands for a gateway with a store:',
    ...linesOf(ofStores),
    '',
    'Options:',
    '  --help     Print this; gw COMMAND --help says more about one.',
    '  --version  Print the version.',
    '',
  ].join('\n');
