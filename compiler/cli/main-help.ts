/** A command, with its line in the help of `gw`. */
export interface HelpRow {
  readonly name: string;
  readonly headline: string;
}

/** Returns the text of `gw --help`. */
export const mainHelp = (own: readonly HelpRow[], ofStores: readonly HelpRow[]): string => {
  const width = Math.max(...[...own, ...ofStores].map(({ name }) => name.length));
  const lines = (rows: readonly HelpRow[]): readonly string[] =>
    rows.map(({ name, headline }) => `  ${name.padEnd(width)}  ${headline}`);
  return [
    'Usage: gw COMMAND [arguments]',
    '',
    'Compiles routing configs for language-model traffic into checked plans, and runs them.',
    '',
    'Commands:',
    ...lines(own),
    '',
    'Commands for a gateway with a store:',
    ...lines(ofStores),
    '',
    'Options:',
    '  --help     Print this help; gw COMMAND --help describes a command.',
    '  --version  Print the version.',
    '',
  ].join('\n');
};
