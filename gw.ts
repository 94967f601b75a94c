/** The `gw` command: its parts, in `gw/`, join the compiler, the plugins and the runtime, each loaded when a command needs it. */

import type { CommandIo } from './compiler/cli/command-line/services.ts';
import { UsageError } from './compiler/cli/command-line/usage-error.ts';
import { endUnprinted, nodeIo } from './compiler/cli/files/node-io.ts';
import { mainHelp } from './compiler/cli/main-help.ts';
import { ownCommands, storeCommands } from './gw/commands.ts';
import { ownVersion } from './plugins/host/loading/own-version.ts';
import { closestCommand } from './schema/text/closest-command.ts';
import { toError } from './schema/text/error-text.ts';

const unknownCommand = (name: string, known: readonly string[]): UsageError => {
  const what = name.startsWith('-') ? 'flag' : 'command';
  const hint = closestCommand('gw', name.replace(/^-+/, ''), [...known, 'help', '--version']);
  return new UsageError(`There is no ${what} "${name}".`, hint);
};

const run = async ([name, ...rest]: readonly string[], io: CommandIo): Promise<number> => {
  if (name === undefined) throw new UsageError('No command was given.', 'See gw --help.');
  if (name === '--version' || name === '-v') {
    io.out.write(`${ownVersion()}\n`);
    return 0;
  }
  const isHelp = name === '--help' || name === '-h' || name === 'help';
  const [asked, argv] = isHelp ? [rest[0], ['--help']] : [name, rest];
  const own = ownCommands.find((command) => command.name === asked);
  if (own !== undefined) return own.run(argv, io);
  const ofStores = await storeCommands();
  const ofStore = ofStores.find((command) => command.name === asked);
  if (ofStore !== undefined) return ofStore.run(argv, io);
  if (!isHelp)
    throw unknownCommand(
      name,
      [...ownCommands, ...ofStores].map((command) => command.name),
    );
  io.out.write(mainHelp(ownCommands, ofStores));
  return 0;
};

/** Runs one command; gives the exit code. A mistake of the user's is one line on standard error, and 2. */
export const main = async (argv: readonly string[], given?: CommandIo): Promise<number> => {
  try {
    return await run(argv, given ?? nodeIo());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const err = given?.err ?? process.stderr;
    err.write(`gw: ${`${error.message} ${error.hint}`.trimEnd()}\n`);
    return 2;
  }
};

/** Ends the process when all is printed, even where a plugin has left a timer or a connection behind. */
const end = (code: number): void => {
  process.stdout.write('', (error) => {
    const isLost = error != null && !('code' in error && error.code === 'EPIPE');
    if (isLost) endUnprinted(error);
    else process.stderr.write('', () => process.exit(code));
  });
};

/** The exit codes of a process that a signal ends, as shells have them. */
const endingSignals = { SIGINT: 130, SIGTERM: 143 };

/** Lets signals end a command that does not handle them also as the first process of a container, which the kernel spares. */
const endBySignals = (): void => {
  if (process.pid !== 1) return;
  for (const [signal, code] of Object.entries(endingSignals))
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
};

/** Reports a command that waits for what never comes: Node would end with exit code 0, as if a check had found nothing. */
const failUnfinished = (): void => {
  process.once('beforeExit', () => {
    process.exitCode = 1;
    process.stderr.write(
      'gw: The command ended before it was done: what it waited for never came. Please report it, or correct the plugin that is waited for.\n',
    );
  });
};

/** Runs a command as the process, and ends it. An error that is no mistake of the user's is a fault here: it is printed, and 1. */
export const runProcess = async (argv: readonly string[]): Promise<void> => {
  endBySignals();
  failUnfinished();
  try {
    end(await main(argv));
  } catch (error) {
    // Rejections that nobody handles may be logged by then, and would leave the exit code at 0.
    const { stack, message } = toError(error);
    process.stderr.write(`gw: The command failed by a fault of its own. Please report it: ${stack ?? message}\n`);
    end(1);
  }
};

if (import.meta.main) await runProcess(process.argv.slice(2));
