import type { CommandIo, CommandServices } from '../compiler/cli/command-line/services.ts';
import type { HelpRow } from '../compiler/cli/main-help.ts';
import type { CommandTree } from '../schema/command-help/command-spec.ts';

/** A command of `gw`, which loads only what it needs. */
export interface Command extends HelpRow {
  /** Runs the command. Resolves to the exit code. */
  run(argv: readonly string[], io: CommandIo): Promise<number>;
  /** Describes it and the commands that begin with it. */
  tree(): Promise<CommandTree>;
}

const commandServices = async (io: CommandIo): Promise<CommandServices> =>
  (await import('./command-services.ts')).commandServices(io);

/**
 * Whether another gateway started this process as a worker. A variable alone is no proof, because it could be inherited from
 * anywhere.
 */
const isWorker = (): boolean => process.connected && process.env.GW_WORKER_OF === String(process.ppid);

export const ownCommands: readonly Command[] = [
  {
    name: 'alerts',
    headline: 'Test the receivers of alerts.',
    run: async (argv, io) => (await import('./alerts-command.ts')).alerts(io, argv),
    tree: async () => (await import('./alerts-command.ts')).alertsTree,
  },
  {
    name: 'check',
    headline: 'Find mistakes in routing configs.',
    run: async (argv, io) => (await import('../compiler/cli/check.ts')).check(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/check.ts')).checkTree,
  },
  {
    name: 'compile',
    headline: 'Compile configs to plans and typed modules.',
    run: async (argv, io) => (await import('../compiler/cli/compile.ts')).compile(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/compile.ts')).compileTree,
  },
  {
    name: 'completion',
    headline: 'Print a shell completion script.',
    run: async (argv, io) => (await import('./completion/completion.ts')).completion(io, argv, commandTree),
    tree: async () => (await import('./completion/completion.ts')).completionTree,
  },
  {
    name: 'diff',
    headline: 'Show how a change of configs affects requests.',
    run: async (argv, io) => (await import('../compiler/cli/diff/diff.ts')).diff(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/diff/diff.ts')).diffTree,
  },
  {
    name: 'doctor',
    headline: 'Check a set-up and report what is wrong.',
    run: async (argv, io) => (await import('./doctor/doctor.ts')).doctor(io, argv),
    tree: async () => (await import('./doctor/doctor.ts')).doctorTree,
  },
  {
    name: 'explain',
    headline: 'Show the plan of a config, and the path of a request through it.',
    run: async (argv, io) => (await import('../compiler/cli/explain.ts')).explain(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/explain.ts')).explainTree,
  },
  {
    name: 'fmt',
    headline: 'Format configs, gateway files and route tests.',
    run: async (argv, io) => (await import('../compiler/cli/fmt.ts')).fmt(io, argv),
    tree: async () => (await import('../compiler/cli/fmt.ts')).fmtTree,
  },
  {
    name: 'health',
    headline: 'Check whether a gateway is ready, as the probe of a container.',
    async run(argv, { cwd, out, err }) {
      const { health } = await import('../runtime/cli/health.ts');
      const stdout = (text: string): void => out.write(text);
      return health({ cwd, env: process.env, stdout, stderr: (text) => err.write(text) }, argv);
    },
    tree: async () => ({ spec: (await import('../runtime/cli/health.ts')).healthSpec }),
  },
  {
    name: 'import',
    headline: "Convert another gateway's configuration.",
    run: async (argv, io) =>
      (await import('../compiler/cli/import/import.ts')).importFile(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/import/import.ts')).importTree,
  },
  {
    name: 'init',
    headline: 'Write a first set-up: gateway file, config, route test, CI.',
    run: async (argv, io) => (await import('../compiler/cli/init/init.ts')).init(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/init/init.ts')).initTree,
  },
  {
    name: 'lsp',
    headline: 'Start a language server for editors.',
    run: async (argv, io) => (await import('./lsp/lsp.ts')).lsp(io, argv, commandServices),
    tree: async () => (await import('./lsp/lsp.ts')).lspTree,
  },
  {
    name: 'models',
    headline: 'List known models, and refresh them from the providers.',
    async run(argv, io) {
      const [{ models }, { controlServices }] = await Promise.all([
        import('../plugins/control/cli/resources/models.ts'),
        import('./control-services.ts'),
      ]);
      return models(await controlServices(io), argv);
    },
    tree: async () => (await import('../plugins/control/cli/resources/models.ts')).modelsTree,
  },
  {
    name: 'plugin',
    headline: 'Create, list and verify plugins.',
    run: async (argv, io) => (await import('../compiler/cli/plugin/plugin.ts')).plugin(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/plugin/plugin.ts')).pluginTree,
  },
  {
    name: 'replay',
    headline: 'Show where logged requests would have gone on another config.',
    run: async (argv, io) => (await import('../compiler/cli/replay.ts')).replay(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/replay.ts')).replayTree,
  },
  {
    name: 'serve',
    headline: 'Run the gateway.',
    async run(argv, io) {
      if (isWorker()) return (await import('./serve-worker.ts')).serveWorker(io, argv);
      const [{ serve }, { serveServices }] = await Promise.all([
        import('../runtime/cli/serve.ts'),
        import('./serve-services.ts'),
      ]);
      return serve(serveServices(io), argv);
    },
    tree: async () => ({ spec: (await import('../runtime/cli/settings/serve-options.ts')).serveSpec }),
  },
  {
    name: 'simulate',
    headline: 'Simulate traffic through a config while targets fail, and show what clients get.',
    run: async (argv, io) => (await import('../compiler/cli/simulate.ts')).simulate(await commandServices(io), argv),
    tree: async () => (await import('../compiler/cli/simulate.ts')).simulateTree,
  },
  {
    name: 'test',
    headline: 'Run route tests, which check what configs do with requests.',
    run: async (argv, io) => (await import('./route-tests/test.ts')).test(await commandServices(io), argv),
    tree: async () => (await import('./route-tests/test.ts')).testTree,
  },
];

/** Returns the commands for a gateway with a store, as the control plane lists them. */
export const storeCommands = async (): Promise<readonly Command[]> => {
  const { controlCommands } = await import('../plugins/control/cli/control-commands.ts');
  return controlCommands.map(({ name, headline, run, tree }) => ({
    name,
    headline,
    tree,
    run: async (argv, io) => run(await (await import('./control-services.ts')).controlServices(io), argv),
  }));
};

/** Describes `gw` and all its commands. */
export const commandTree = async (): Promise<CommandTree> => {
  const commands = [...ownCommands, ...(await storeCommands())];
  const trees = await Promise.all(
    commands.map(async ({ name, headline, tree }) => [name, { headline, ...(await tree()) }]),
  );
  return {
    spec: {
      name: 'gw',
      summary: 'Compiles routing configs for language-model traffic into checked plans, and runs them.',
      positionals: 'COMMAND',
      takes: { min: 1, max: Number.POSITIVE_INFINITY },
      examples: ['gw --version'],
      options: { version: { type: 'boolean', describe: 'Print the version.' } },
    },
    commands: Object.fromEntries(trees),
  };
};
