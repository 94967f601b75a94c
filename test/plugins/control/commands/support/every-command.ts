import type { ApiCommand, Resource } from '../../../../../plugins/control/commands/engine/api-command.ts';
import { namesIn } from '../../../../../plugins/control/commands/engine/spec-of.ts';
import { configs } from '../../../../../plugins/control/commands/resources/configs.ts';
import { keys } from '../../../../../plugins/control/commands/resources/keys.ts';
import { logs } from '../../../../../plugins/control/commands/resources/logs.ts';
import { organisation } from '../../../../../plugins/control/commands/resources/organisation.ts';
import { policies } from '../../../../../plugins/control/commands/resources/policies.ts';
import { prompts } from '../../../../../plugins/control/commands/resources/prompts.ts';
import { providers } from '../../../../../plugins/control/commands/resources/providers.ts';
import { usage } from '../../../../../plugins/control/commands/resources/usage.ts';
import { virtualKeys } from '../../../../../plugins/control/commands/resources/virtual-keys.ts';
import { workspaces } from '../../../../../plugins/control/commands/resources/workspaces.ts';
import { resourceCommands } from '../../../../../plugins/control/kernel/resource/resource-commands.ts';
import { resources as described } from '../../../../../plugins/control/resources.ts';

/** The resources that have commands of their own. */
export const resources: readonly Resource[] = [
  ...[configs, keys, logs, organisation],
  ...[policies, prompts, providers, virtualKeys, workspaces],
  ...described.filter(({ command }) => !command.includes(' ')).map(resourceCommands),
];

/** The files that `commandLine` names. */
export const commandFiles: Readonly<Record<string, object>> = { 'body.json': { note: 'of the file' } };

/** The variable that `commandLine` names where a command takes a secret. */
export const secretVariable = 'TEST_PROVIDER_SECRET';

export interface KnownCommand {
  readonly command: ApiCommand;
  /** What runs it, with a secret where it takes one. */
  readonly argv: readonly string[];
}

const knownCommand = (words: readonly string[], command: ApiCommand): KnownCommand => {
  const { route, file, flags = {} } = command;
  const secrets = Object.entries(flags).filter(([, { form }]) => form === 'variable');
  return {
    command,
    argv: [
      ...words,
      ...namesIn(route).map(() => 'x'),
      ...(file === undefined ? [] : ['body.json']),
      ...(words.at(-1) === 'update' && file === undefined ? ['--name', 'A'] : []),
      ...secrets.flatMap(([flag]) => [`--${flag}`, secretVariable]),
    ],
  };
};

const commandsOf = ({ name, commands, parts = {} }: Resource): readonly KnownCommand[] => [
  ...Object.entries(commands).map(([word, command]) => knownCommand([...name.split(' '), word], command)),
  ...Object.values(parts).flatMap(commandsOf),
];

/** Every command of `gw` that asks a gateway's control plane. */
export const everyCommand: readonly KnownCommand[] = [...resources.flatMap(commandsOf), knownCommand(['usage'], usage)];
