import type { PluginReport } from '../../../plugins/sdk/plugin/plugin-report.ts';
import type { CommandSpec, CommandTree } from '../../../schema/command-help/command-spec.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { configOption, formatOption } from '../command-line/format-option.ts';
import { readCommandLine } from '../command-line/parse-command-line.ts';
import type { CommandServices, Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { displayPath } from '../files/config-files.ts';
import { readEnvironment, readGatewayFile } from '../files/read-environment.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import { formatDiagnostics } from '../report/report.ts';
import { pluginText } from './plugin-text.ts';

const spec = {
  name: 'gw plugin list',
  summary: 'Lists the plugins that the gateway file names: versions, what they provide, and what they may do.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: { config: configOption, format: formatOption },
  notes:
    "The permissions are those that a plugin declares. They are enforced if it is isolated; a plugin in the gateway's own process can\n" +
    'do what the gateway can. Exit code: 0 listed, 1 a plugin cannot be loaded, 2 the command cannot be run.',
  examples: ['gw plugin list --config gateway.json'],
} as const satisfies CommandSpec;

export const pluginListTree: CommandTree = { spec };

interface ListedPlugin extends Omit<PluginReport, 'faults'> {
  readonly file: string;
  readonly isolated: boolean;
}

const listed = ({ plugins, pluginDetails = [] }: Environment, cwd: string): readonly ListedPlugin[] =>
  pluginDetails.map(({ plugin: name, version, sdk, file, isIsolated, permissions, integrity }) => {
    const {
      providers = [],
      dialects = [],
      guardrails = [],
      caches = [],
      choosers = [],
      sinks = [],
      routes = [],
    } = plugins.find((each) => each.name === name) ?? {};
    const ids = (things: readonly { readonly id: string }[]): readonly string[] => things.map(({ id }) => id);
    return {
      name,
      ...(version === undefined ? {} : { version }),
      ...(sdk === undefined ? {} : { sdk }),
      file: displayPath(file, cwd),
      isolated: isIsolated,
      provides: {
        providers: ids(providers),
        dialects: ids(dialects),
        checks: ids(guardrails),
        caches: caches.map(({ mode }) => mode),
        choosers: ids(choosers),
        sinks: ids(sinks),
        routes: routes.map(({ method, path, operationId, scope }) => ({ method, path, operationId, scope })),
      },
      permissions,
      integrity,
    };
  });

const listText = (plugin: ListedPlugin): string =>
  pluginText({
    ...plugin,
    more: [
      ['isolated', plugin.isolated ? 'yes: in a process of its own' : 'no: in the process of the gateway'],
      ['file', plugin.file],
    ],
  });

/** `gw plugin list`: prints the plugins of the gateway file. Throws a `UsageError`. */
export const pluginList = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values } = given;
  const gatewayFile = await readGatewayFile(services, values.config);
  if (gatewayFile === undefined)
    throw new UsageError('There is no gateway file here.', 'Name the one whose plugins to list: --config FILE.');
  const { text = '', ...environment } = await readEnvironment(services, gatewayFile);
  const plugins = listed(environment, io.cwd);
  const { diagnostics } = environment;
  const file: CompiledFile = { file: displayPath(gatewayFile, io.cwd), text, diagnostics };
  if (values.format === 'json') io.out.write(`${JSON.stringify({ plugins, diagnostics }, undefined, 2)}\n`);
  else {
    const none = plugins.length === 0 && diagnostics.length === 0 ? 'The gateway file names no plugins.\n' : '';
    io.out.write(
      `${formatDiagnostics(diagnostics.length === 0 ? [] : [file], io.out)}${plugins.map(listText).join('\n')}${none}`,
    );
  }
  return diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
};
