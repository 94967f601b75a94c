import type { CommandTree } from '../../../schema/command-help/command-spec.ts';
import { closestCommand } from '../../../schema/text/closest-command.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import type { CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { pluginList, pluginListTree } from './plugin-list.ts';
import { pluginNew, pluginNewTree } from './plugin-new.ts';
import { pluginVerify, pluginVerifyTree } from './plugin-verify.ts';

const commands = {
  new: { run: pluginNew, summary: 'Create the package of a new plugin.' },
  list: { run: pluginList, summary: 'List the plugins of the gateway file, and what they may do.' },
  verify: { run: pluginVerify, summary: 'Check a plugin before it is used.' },
} as const;

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

const help = (): string =>
  [
    'Usage: gw plugin COMMAND [arguments]',
    '',
    'Commands:',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(6)}  ${summary}`),
    '',
    'gw plugin COMMAND --help describes a command.',
    '',
  ].join('\n');

export const pluginTree: CommandTree = {
  commands: { new: pluginNewTree, list: pluginListTree, verify: pluginVerifyTree },
};

/** `gw plugin`: the commands for plugins. Throws a `UsageError`. */
export const plugin = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const [name, ...rest] = argv;
  if (name === '--help' || name === '-h' || name === 'help') {
    services.io.out.write(help());
    return 0;
  }
  if (name === undefined) throw new UsageError('gw plugin requires a command.', 'See gw plugin --help.');
  if (!isCommand(name)) {
    const hint = closestCommand('gw plugin', name, Object.keys(commands));
    throw new UsageError(`There is no command "gw plugin ${name}".`, hint);
  }
  return commands[name].run(services, rest);
};
