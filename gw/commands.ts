import type { CommandName } from '../compiler/commands/main-help.ts';
import type { CommandIo, CommandServices } from '../compiler/commands/services.ts';
import type { ControlCommand } from '../plugins/control/commands/control-commands.ts';

type RunCommand = (argv: readonly string[], io: CommandIo) => Promise<number>;

const commandServices = async (io: CommandIo): Promise<CommandServices> =>
  (await import('./command-services.ts')).commandServices(io);

const control =
  (name: ControlCommand): RunCommand =>
  async (argv, io) => {
    const [{ controlCommand }, { controlServices }] = await Promise.all([
      import('../plugins/control/commands/control-commands.ts'),
      import('./control-services.ts'),
    ]);
    return controlCommand(name, await controlServices(io), argv);
  };

/** What runs each command: it loads what it needs. Gives the exit code. */
export const commands: Readonly<Record<CommandName, RunCommand>> = {
  backup: control('backup'),
  check: async (argv, io) => (await import('../compiler/commands/check.ts')).check(await commandServices(io), argv),
  compile: async (argv, io) =>
    (await import('../compiler/commands/compile.ts')).compile(await commandServices(io), argv),
  configs: control('configs'),
  explain: async (argv, io) =>
    (await import('../compiler/commands/explain.ts')).explain(await commandServices(io), argv),
  guardrails: control('guardrails'),
  integrations: control('integrations'),
  keys: control('keys'),
  logs: control('logs'),
  organisation: control('organisation'),
  plugin: async (argv, io) => (await import('../compiler/commands/plugin.ts')).plugin(await commandServices(io), argv),
  policies: control('policies'),
  prompts: control('prompts'),
  providers: control('providers'),
  serve: async (argv, io) => {
    const [{ serve }, { serveServices }] = await Promise.all([
      import('../runtime/commands/serve.ts'),
      import('./serve-services.ts'),
    ]);
    return serve(serveServices(io), argv);
  },
  usage: control('usage'),
  'virtual-keys': control('virtual-keys'),
  workspaces: control('workspaces'),
};
