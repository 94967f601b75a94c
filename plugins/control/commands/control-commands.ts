import { CommandFailure } from './command-failure.ts';
import type { Resource } from './engine/api-command.ts';
import { runApiCommand } from './engine/run-api-command.ts';
import { runResource } from './engine/run-resource.ts';
import type { ControlServices, ExitCode } from './services.ts';
import { adminFlag } from './store/admin-flag.ts';

type Run = (services: ControlServices, argv: readonly string[]) => Promise<ExitCode>;

/** The store is loaded by the commands that open it, and by no other. */
const keys: Run = async (services, argv) => {
  const [name, ...rest] = argv;
  if (name === 'create' && rest.includes(adminFlag))
    return (await import('./store/admin-key.ts')).createAdminKey(services, rest);
  const { keys: resource } = await import('./resources/keys.ts');
  const rotateMaster = {
    name: 'rotate-master',
    summary: 'Seals the secrets of a store with another master key.',
    run: async (...given: Parameters<Run>) => (await import('./store/rotate-master.ts')).rotateMaster(...given),
  };
  return runResource(services, { resource, own: [rotateMaster] }, argv);
};

const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** `gw logs` alone lists records, and `gw logs ID` shows one. */
const logs: Run = async (services, argv) => {
  const [first] = argv;
  const isFlag = first === undefined || (first.startsWith('-') && first !== '--help' && first !== '-h');
  if (isFlag && argv.includes('--follow'))
    return (await import('./logs/follow-logs.ts')).followLogs(
      services,
      argv.filter((argument) => argument !== '--follow'),
    );
  const { logs: resource } = await import('./resources/logs.ts');
  const meant = isFlag ? ['list', ...argv] : isId(first) ? ['get', ...argv] : argv;
  return runResource(services, { resource }, meant);
};

/** The commands of the control plane. */
export type ControlCommand =
  | 'backup'
  | 'configs'
  | 'guardrails'
  | 'integrations'
  | 'keys'
  | 'logs'
  | 'organisation'
  | 'policies'
  | 'prompts'
  | 'providers'
  | 'usage'
  | 'virtual-keys'
  | 'workspaces';

/** A resource is loaded when a command of it runs. */
const of =
  (load: () => Promise<Resource>): Run =>
  async (services, argv) =>
    runResource(services, { resource: await load() }, argv);

/** The commands of a resource that is described. */
const described = (command: string): Run =>
  of(async () => {
    const [{ resources }, { resourceCommands }] = await Promise.all([
      import('../resources.ts'),
      import('../kernel/resource/resource-commands.ts'),
    ]);
    const resource = resources.find((each) => each.command === command);
    if (resource === undefined) throw new Error(`There is no resource with the command "${command}".`);
    return resourceCommands(resource);
  });

const commands: { readonly [Name in ControlCommand]: Run } = {
  backup: async (services, argv) => (await import('./store/backup.ts')).backup(services, argv),
  configs: of(async () => (await import('./resources/configs.ts')).configs),
  guardrails: described('guardrails'),
  integrations: described('integrations'),
  keys,
  logs,
  organisation: of(async () => (await import('./resources/organisation.ts')).organisation),
  policies: of(async () => (await import('./resources/policies.ts')).policies),
  prompts: of(async () => (await import('./resources/prompts.ts')).prompts),
  providers: of(async () => (await import('./resources/providers.ts')).providers),
  usage: async (services, argv) =>
    runApiCommand(services, { name: 'gw usage', command: (await import('./resources/usage.ts')).usage }, argv),
  'virtual-keys': of(async () => (await import('./resources/virtual-keys.ts')).virtualKeys),
  workspaces: of(async () => (await import('./resources/workspaces.ts')).workspaces),
};

/**
 * Runs a command of the control plane; gives the exit code. What ends it is one line on standard error. Throws only what
 * `services` throw for the user, and faults.
 */
export const controlCommand = async (
  name: ControlCommand,
  services: ControlServices,
  argv: readonly string[],
): Promise<ExitCode> => {
  try {
    return await commands[name](services, argv);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    services.err.write(`gw: ${`${error.message} ${error.hint}`.trimEnd()}\n`);
    return error.exitCode;
  }
};
