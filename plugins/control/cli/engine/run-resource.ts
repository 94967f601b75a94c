import { closestCommand } from '../../../../schema/text/closest-command.ts';
import type { Resource } from '../../kernel/resource/api-command.ts';
import { unusable } from '../command-line/command-failure.ts';
import type { ControlServices, ExitCode } from '../command-line/services.ts';
import { runApiCommand } from './run-api-command.ts';

/** A command of a resource that asks no gateway. */
export interface OwnCommand {
  readonly name: string;
  readonly summary: string;
  run(services: ControlServices, argv: readonly string[]): Promise<ExitCode>;
}

interface Row {
  readonly name: string;
  readonly summary: string;
}

const toRows = (resources: Resource['commands'] | Resource['parts'] = {}): readonly Row[] =>
  Object.entries(resources).map(([name, { summary }]) => ({ name, summary }));

const toHelp = ({ name, summary, commands, parts }: Resource, own: readonly OwnCommand[]): string => {
  const [alone, second] = [[...toRows(commands), ...own], toRows(parts)];
  const width = Math.max(...[...alone, ...second].map((row) => row.name.length));
  const lines = (rows: readonly Row[]): readonly string[] =>
    rows.map((row) => `  ${row.name.padEnd(width)}  ${row.summary}`);
  return [
    `Usage: gw ${name} COMMAND [arguments]`,
    '',
    summary,
    '',
    ...(alone.length === 0 ? [] : ['Commands:', ...lines(alone)]),
    ...(alone.length === 0 || second.length === 0 ? [] : ['']),
    ...(second.length === 0 ? [] : ['With commands of their own:', ...lines(second)]),
    '',
    `gw ${name} COMMAND --help says more about one.`,
    '',
  ].join('\n');
};

const findMember = <Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** Runs `gw NAME COMMAND …`. Throws what ends a command that cannot be run. */
export const runResource = async (
  services: ControlServices,
  { resource, own = [] }: { readonly resource: Resource; readonly own?: readonly OwnCommand[] },
  argv: readonly string[],
): Promise<ExitCode> => {
  const [given, ...rest] = argv;
  const name = `gw ${resource.name}`;
  if (given === '--help' || given === '-h' || given === 'help') {
    services.out.write(toHelp(resource, own));
    return 0;
  }
  if (given === undefined) throw unusable(`${name} requires a command.`, `See ${name} --help.`);
  const ownCommand = own.find((each) => each.name === given);
  if (ownCommand !== undefined) return ownCommand.run(services, rest);
  const part = findMember(resource.parts, given);
  if (part !== undefined) return runResource(services, { resource: part }, rest);
  const command = findMember(resource.commands, given);
  if (command !== undefined) return runApiCommand(services, { name: `${name} ${given}`, command }, rest);
  const known = [resource.commands, resource.parts ?? {}].flatMap((table) => Object.keys(table));
  const hint = closestCommand(name, given, [...known, ...own.map((each) => each.name)]);
  throw unusable(`There is no command "${name} ${given}".`, hint);
};
