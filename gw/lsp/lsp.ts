import { parseCommandLine } from '../../compiler/cli/command-line/parse-command-line.ts';
import type { CommandIo } from '../../compiler/cli/command-line/services.ts';
import { commandHelp } from '../../schema/command-help/command-help.ts';
import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import { loadLanguageServer } from './load-language-server.ts';
import type { OpenServices } from './projects.ts';

const spec = {
  name: 'gw lsp',
  summary:
    'Runs a language server: findings as you type, fixes, completion, hover, definitions, references and renaming.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: {
    stdio: { type: 'boolean', describe: 'Use the standard input and output, which is also the default.' },
  },
  notes: [
    'An editor starts it. It implements the language server protocol for these files, in JSON and in YAML: those in the configs',
    'folder of the nearest gateway file above them, those that name config.schema.json as their "$schema", and the gateway file',
    'itself. See gw/lsp/README.md of the package for how to set up Neovim and Helix.',
    '',
    'Exit code: 0 the editor ended the session; 1 the connection broke before that; 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw lsp --stdio'],
} as const satisfies CommandSpec;

export const lspTree: CommandTree = { spec };

/**
 * `gw lsp`: resolves when the editor has ended the session. Throws a `UsageError` if the packages that it needs are not
 * installed.
 */
export const lsp = async (io: CommandIo, argv: readonly string[], openServices: OpenServices): Promise<number> => {
  const { help } = parseCommandLine(spec, argv);
  if (help) {
    io.out.write(commandHelp(spec));
    return 0;
  }
  const loaded = loadLanguageServer();
  const { EditorSession } = await import('./session.ts');
  const { createConnection, ProposedFeatures } = loaded.server;
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const ended = Promise.withResolvers<number>();
  let isShutDown = false;
  connection.onShutdown(() => {
    isShutDown = true;
  });
  connection.onExit(() => ended.resolve(isShutDown ? 0 : 1));
  process.stdin.once('end', () => ended.resolve(isShutDown ? 0 : 1));
  new EditorSession(connection, loaded, openServices);
  connection.listen();
  return ended.promise;
};
