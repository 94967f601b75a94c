import type { Resource } from '../kernel/resource/api-command.ts';
import { CommandFailure } from './command-line/command-failure.ts';
import type { ControlServices, ExitCode } from './command-line/services.ts';
import { runApiCommand } from './engine/run-api-command.ts';
import { runResource } from './engine/run-resource.ts';
import { apiResources } from './resources/api-resources.ts';
import { usage } from './resources/usage.ts';
import { adminFlag } from './store/admin-flag.ts';

type Run = (services: ControlServices, argv: readonly string[]) => Promise<ExitCode>;

/** Runs `gw NAME COMMAND …` where a resource has more commands than those of the API. */
type RunOwn = (resource: Resource, ...given: Parameters<Run>) => Promise<ExitCode>;

/** The store is loaded by the commands that open it, and by no other. */
const runKeys: RunOwn = async (resource, services, argv) => {
  const [name, ...rest] = argv;
  if (name === 'create' && rest.includes(adminFlag))
    return (await import('./store/admin-key.ts')).createAdminKey(services, rest);
  const rotateMaster = {
    name: 'rotate-master',
    summary: 'Seals the secrets of a store with another master key.',
    run: async (...given: Parameters<Run>) => (await import('./store/rotate-master.ts')).rotateMaster(...given),
  };
  return runResource(services, { resource, own: [rotateMaster] }, argv);
};

const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** `gw logs` alone lists records, and `gw logs ID` shows one. */
const runLogs: RunOwn = async (resource, services, argv) => {
  const [first] = argv;
  const isFlag = first === undefined || (first.startsWith('-') && first !== '--help' && first !== '-h');
  if (isFlag && argv.includes('--follow'))
    return (await import('./logs/follow-logs.ts')).followLogs(
      services,
      argv.filter((argument) => argument !== '--follow'),
    );
  const meant = isFlag ? ['list', ...argv] : isId(first) ? ['get', ...argv] : argv;
  return runResource(services, { resource }, meant);
};

const own: Readonly<Record<string, RunOwn>> = { keys: runKeys, logs: runLogs };

/** What ends a command is one line on standard error. It throws only what `services` throw for the user, and faults. */
const withFailures =
  (run: Run): Run =>
  async (services, argv) => {
    try {
      return await run(services, argv);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      services.err.write(`gw: ${`${error.message} ${error.hint}`.trimEnd()}\n`);
      return error.exitCode;
    }
  };

/** A command of `gw`; it gives the exit code. */
export interface ControlCommand {
  readonly name: string;
  /** What the help of `gw` says of it. */
  readonly headline: string;
  readonly run: Run;
}

const rows: readonly ControlCommand[] = [
  {
    name: 'backup',
    headline: 'Copy the store to a file.',
    run: async (services, argv) => (await import('./store/backup.ts')).backup(services, argv),
  },
  {
    name: 'usage',
    headline: 'Show what has been used, and what it cost.',
    run: (services, argv) => runApiCommand(services, { name: 'gw usage', command: usage }, argv),
  },
  ...apiResources.map((resource) => ({
    name: resource.name,
    headline: resource.headline ?? resource.summary,
    run: async (services: ControlServices, argv: readonly string[]) =>
      own[resource.name]?.(resource, services, argv) ?? runResource(services, { resource }, argv),
  })),
];

/** The commands of the control plane, sorted. */
export const controlCommands: readonly ControlCommand[] = rows
  .map((row) => ({ ...row, run: withFailures(row.run) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
