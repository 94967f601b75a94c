import { apiResources } from '../../../../../plugins/control/cli/resources/api-resources.ts';
import { namesIn } from '../../../../../plugins/control/cli/resources/flag-values.ts';
import { usage } from '../../../../../plugins/control/cli/resources/usage.ts';
import type { ApiCommand, Resource } from '../../../../../plugins/control/kernel/resource/api-command.ts';

/** The files that the command lines name. */
export const commandFiles: Readonly<Record<string, object>> = { 'body.json': { note: 'of the file' } };

/** The environment variable that the command lines name if a command takes a secret. */
export const secretVariable = 'TEST_PROVIDER_SECRET';

export interface KnownCommand {
  readonly command: ApiCommand;
  /** The command line that runs it, with a secret if it takes one. */
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

const toCommands = ({ name, commands, parts = {} }: Resource): readonly KnownCommand[] => [
  ...Object.entries(commands).map(([word, command]) => knownCommand([...name.split(' '), word], command)),
  ...Object.values(parts).flatMap(toCommands),
];

/** Every command of `gw` that sends requests to the control plane of a gateway. */
export const everyCommand: readonly KnownCommand[] = [
  ...apiResources.flatMap(toCommands),
  knownCommand(['usage'], usage),
];
