import { closestName } from '../../../schema/closest-name.ts';
import { unusable } from './command-failure.ts';
import type { Resource } from './resources/resource.ts';
import { runApiCommand } from './resources/run-api-command.ts';
import type { ControlServices, ExitCode } from './services.ts';

/** A command of a resource that asks no gateway. */
export interface OwnCommand {
  readonly name: string;
  readonly summary: string;
  run(services: ControlServices, argv: readonly string[]): Promise<ExitCode>;
}

const helpOf = ({ name, summary, commands }: Resource, own: readonly OwnCommand[]): string => {
  const rows = [...Object.entries(commands).map(([command, row]) => ({ name: command, summary: row.summary })), ...own];
  const width = Math.max(...rows.map((row) => row.name.length));
  return [
    `Usage: gw ${name} COMMAND [arguments]`,
    '',
    summary,
    '',
    'Commands:',
    ...rows.map((row) => `  ${row.name.padEnd(width)}  ${row.summary}`),
    '',
    `gw ${name} COMMAND --help says more about one.`,
    '',
  ].join('\n');
};

/** Runs `gw NAME COMMAND …`. Throws what ends a command that cannot be run. */
export const runResource = async (
  services: ControlServices,
  { resource, own = [] }: { readonly resource: Resource; readonly own?: readonly OwnCommand[] },
  argv: readonly string[],
): Promise<ExitCode> => {
  const [given, ...rest] = argv;
  const name = `gw ${resource.name}`;
  if (given === '--help' || given === '-h' || given === 'help') {
    services.out.write(helpOf(resource, own));
    return 0;
  }
  if (given === undefined) throw unusable(`${name} requires a command.`, `See ${name} --help.`);
  const ownCommand = own.find((each) => each.name === given);
  if (ownCommand !== undefined) return ownCommand.run(services, rest);
  const command = Object.hasOwn(resource.commands, given) ? resource.commands[given] : undefined;
  if (command !== undefined) return runApiCommand(services, { name: `${name} ${given}`, command }, rest);
  const closest = closestName(given, [...Object.keys(resource.commands), ...own.map((each) => each.name)]);
  throw unusable(
    `There is no command "${name} ${given}".`,
    closest === undefined ? `See ${name} --help.` : `Did you mean ${name} ${closest}?`,
  );
};
