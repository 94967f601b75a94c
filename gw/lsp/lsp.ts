import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { readCommandLine } from '../../compiler/cli/command-line/parse-command-line.ts';
import type { CommandIo } from '../../compiler/cli/command-line/services.ts';
import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import { errorText } from '../../schema/text/error-text.ts';
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

/** Keeps the standard output for messages of the protocol. What plugins print goes to the standard error. */
const takeOutput = (): Writable => {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  globalThis.console = new Console(stderr);
  return new Writable({ write: (part: Buffer, _encoding, done) => void write(part, done) });
};

/** Logs what plugins throw by themselves, for example from a timer. It does not end the session. */
const surviveErrors = (log: (text: string) => void): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => log(`An error was thrown outside of any request: ${errorText(error)}`));
};

/**
 * `gw lsp`: resolves when the editor has ended the session. Throws a `UsageError` if the packages that it needs are not
 * installed.
 */
export const lsp = async (io: CommandIo, argv: readonly string[], openServices: OpenServices): Promise<number> => {
  if (readCommandLine(spec, argv, io.out) === undefined) return 0;
  const loaded = loadLanguageServer();
  const { EditorSession } = await import('./session.ts');
  const { createConnection, ProposedFeatures } = loaded.server;
  const connection = createConnection(ProposedFeatures.all, process.stdin, takeOutput());
  surviveErrors((text) => connection.console.error(text));
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
