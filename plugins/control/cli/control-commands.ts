import type { CommandTree } from '../../../schema/command-help/command-spec.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { closestCommand } from '../../../schema/text/closest-command.ts';
import { closestName } from '../../../schema/text/closest-name.ts';
import type { Resource } from '../kernel/resource/api-command.ts';
import { assertUsable, type ControlServices, type ExitCode, usageFailure } from './command-line/services.ts';
import { apiResources } from './resources/api-resources.ts';
import { toSpec } from './resources/flag-values.ts';
import { runApiCommand } from './resources/run-api-command.ts';
import { usage } from './resources/usage.ts';
import { usageArms } from './resources/usage-arms.ts';
import { type Run, withFailures } from './resources/with-failures.ts';

/** The flag that turns `gw keys create` into the recovery of an admin key. */
const adminFlag = '--admin';

/** A resource's command that sends no request to a gateway. */
interface OwnCommand {
  readonly name: string;
  readonly summary: string;
  run(services: ControlServices, argv: readonly string[]): Promise<ExitCode>;
}

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));

type Row = Pick<OwnCommand, 'name' | 'summary'>;

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
    ...(second.length === 0 ? [] : ['Commands with subcommands:', ...lines(second)]),
    '',
    `gw ${name} COMMAND --help describes a command.`,
    '',
  ].join('\n');
};

interface ResourceRun {
  readonly resource: Resource;
  readonly own?: readonly OwnCommand[];
}

/** Runs `gw NAME COMMAND …`. Throws the error that ends a command which cannot be run. */
const runResource = async (
  services: ControlServices,
  { resource, own = [] }: ResourceRun,
  argv: readonly string[],
): Promise<ExitCode> => {
  const [given, ...rest] = argv;
  const name = `gw ${resource.name}`;
  if (given === '--help' || given === '-h' || given === 'help') {
    services.out.write(toHelp(resource, own));
    return 0;
  }
  assertUsable(given !== undefined, `${name} requires a command.`, `See ${name} --help.`);
  const ownCommand = own.find((each) => each.name === given);
  if (ownCommand !== undefined) return ownCommand.run(services, rest);
  const part = lookUp(resource.parts ?? {}, given);
  if (part !== undefined) return runResource(services, { resource: part }, rest);
  const command = lookUp(resource.commands, given);
  if (command !== undefined) return runApiCommand(services, { name: `${name} ${given}`, command }, rest);
  const known = [resource.commands, resource.parts ?? {}].flatMap((table) => Object.keys(table));
  const names = [...known, ...own.map((each) => each.name)];
  throw usageFailure(`There is no command "${name} ${given}".`, closestCommand(name, given, names));
};

/** Describes `gw NAME` and all commands that begin with it. */
const resourceTree = ({ name, summary, commands, parts = {} }: Resource): CommandTree => ({
  headline: summary,
  commands: {
    ...mapValues(commands, (command, word) => ({ spec: toSpec(`gw ${name} ${word}`, command) })),
    ...mapValues(parts, resourceTree),
  },
});

/** Runs `gw NAME COMMAND …` for a resource with commands other than those of the API. */
type RunOwn = (resource: Resource, ...given: Parameters<Run>) => Promise<ExitCode>;

/** Only the commands that open the store load its code. */
const runKeys: RunOwn = async (resource, services, argv) => {
  const [name, ...rest] = argv;
  if (name === 'create' && rest.includes(adminFlag))
    return (await import('./store-commands.ts')).createAdminKey(services, rest);
  const rotateMaster = {
    name: 'rotate-master',
    summary: 'Re-encrypts the secrets of the store with another master key.',
    run: async (...given: Parameters<Run>) => (await import('./store-commands.ts')).rotateMaster(...given),
  };
  return runResource(services, { resource, own: [rotateMaster] }, argv);
};

/** The services that configs can name are known without a gateway. */
const runProviders: RunOwn = (resource, services, argv) => {
  const kinds = {
    name: 'kinds',
    summary: 'Lists the services that configs can name, or shows everything about one.',
    run: async (...given: Parameters<Run>) => (await import('./resources/provider-kinds.ts')).providerKinds(...given),
  };
  return runResource(services, { resource, own: [kinds] }, argv);
};

const withOwn = (tree: CommandTree, commands: NonNullable<CommandTree['commands']>): CommandTree => ({
  ...tree,
  commands: { ...tree.commands, ...commands },
});

/** The trees of resources that have commands other than those of the API. */
const ownTrees: Readonly<Record<string, (tree: CommandTree) => Promise<CommandTree>>> = {
  keys: async (tree) => {
    const { createAdminTree, rotateMasterTree } = await import('./store-commands.ts');
    const [create, admin] = [tree.commands?.create?.spec, createAdminTree.spec];
    const both = create && admin && { spec: { ...create, options: { ...create.options, ...admin.options } } };
    return withOwn(tree, { ...(both && { create: both }), 'rotate-master': rotateMasterTree });
  },
  configs: async (tree) => withOwn(tree, { rollback: (await import('./resources/rollback.ts')).rollbackTree }),
  providers: async (tree) => withOwn(tree, { kinds: (await import('./resources/provider-kinds.ts')).kindsTree }),
  logs: async (tree) => {
    const list = tree.commands?.list?.spec;
    const follow = {
      type: 'boolean',
      describe: 'Show requests as they arrive, until the command is interrupted.',
    } as const;
    return list === undefined
      ? tree
      : { ...tree, spec: { ...list, examples: ['gw logs --status 200'], options: { ...list.options, follow } } };
  },
};

/** A rollback sends more than one request, with a question between them. */
const runConfigs: RunOwn = (resource, services, argv) => {
  const rollback = {
    name: 'rollback',
    summary: 'Shows what an earlier version changes, and puts it back in service.',
    run: async (...given: Parameters<Run>) => (await import('./resources/rollback.ts')).rollback(...given),
  };
  return runResource(services, { resource, own: [rollback] }, argv);
};

const logWords = ({ commands, parts = {} }: Resource): readonly string[] => Object.keys({ ...commands, ...parts });

/**
 * Checks whether a text can be the id of a record or of a trace, which has a digit or a hyphen, so that it is not mistaken for a
 * misspelt command.
 */
const isId = (text: string, resource: Resource): boolean =>
  !text.startsWith('-') && /[\d-]/.test(text) && closestName(text, logWords(resource)) === undefined;

/** `gw logs` alone lists records, and `gw logs ID` shows the record with this id or trace id. */
const runLogs: RunOwn = async (resource, services, argv) => {
  const [first] = argv;
  const isFlag = first === undefined || (first.startsWith('-') && first !== '--help' && first !== '-h');
  if (isFlag && argv.includes('--follow'))
    return (await import('./resources/follow-logs.ts')).followLogs(
      services,
      argv.filter((argument) => argument !== '--follow'),
    );
  const meant = isFlag ? ['list', ...argv] : isId(first, resource) ? ['get', ...argv] : argv;
  return runResource(services, { resource }, meant);
};

const own: Readonly<Record<string, RunOwn>> = {
  configs: runConfigs,
  keys: runKeys,
  logs: runLogs,
  providers: runProviders,
};

/** A command of `gw`, which returns the exit code. */
interface ControlCommand {
  readonly name: string;
  /** Its line in the help of `gw`. */
  readonly headline: string;
  readonly run: Run;
  /** Describes the command and the commands that begin with it. */
  readonly tree: () => Promise<CommandTree>;
}

const rows: readonly ControlCommand[] = [
  {
    name: 'apply',
    headline: 'Apply the files of a folder to a store.',
    run: async (services, argv) => (await import('./apply/apply.ts')).runApply(services, argv),
    tree: async () => (await import('./apply/apply.ts')).applyTree,
  },
  {
    name: 'export',
    headline: 'Export a store into a folder.',
    run: async (services, argv) => (await import('./apply/export.ts')).runExport(services, argv),
    tree: async () => (await import('./apply/export.ts')).exportTree,
  },
  {
    name: 'backup',
    headline: 'Copy the store to a file.',
    run: async (services, argv) => (await import('./store-commands.ts')).backup(services, argv),
    tree: async () => (await import('./store-commands.ts')).backupTree,
  },
  {
    name: 'usage',
    headline: 'Show usage and costs.',
    run: (services, [first, ...others]) =>
      first === 'arms'
        ? runApiCommand(services, { name: 'gw usage arms', command: usageArms }, others)
        : runApiCommand(services, { name: 'gw usage', command: usage }, first === undefined ? [] : [first, ...others]),
    tree: async () => ({
      spec: toSpec('gw usage', usage),
      commands: { arms: { spec: toSpec('gw usage arms', usageArms) } },
    }),
  },
  ...apiResources.map((resource) => ({
    name: resource.name,
    headline: resource.headline ?? resource.summary,
    run: async (services: ControlServices, argv: readonly string[]) =>
      own[resource.name]?.(resource, services, argv) ?? runResource(services, { resource }, argv),
    tree: async () => ownTrees[resource.name]?.(resourceTree(resource)) ?? resourceTree(resource),
  })),
];

/** The commands of the control plane, sorted. */
export const controlCommands: readonly ControlCommand[] = rows
  .map((row) => ({ ...row, run: withFailures(row.run) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
