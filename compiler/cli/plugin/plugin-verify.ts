import type { PluginReport } from '../../../plugins/sdk/plugin/plugin-report.ts';
import type { CommandSpec, CommandTree } from '../../../schema/command-help/command-spec.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import type { ExitCode } from '../command-line/exit-code.ts';
import { configOption, formatOption } from '../command-line/format-option.ts';
import { readCommandLine } from '../command-line/parse-command-line.ts';
import type { CommandServices } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { displayPath } from '../files/config-files.ts';
import { readEnvironment, readGatewayFile } from '../files/read-environment.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import { formatDiagnostics } from '../report/report.ts';
import { pluginText } from './plugin-text.ts';

const spec = {
  name: 'gw plugin verify',
  summary: 'Loads plugins in a separate process, and checks whatever can be checked before they are used.',
  positionals: '[PACKAGE|FOLDER|TARBALL]',
  takes: { min: 0, max: 1 },
  options: { config: configOption, format: formatOption },
  notes: [
    'Without an argument, the plugins of the gateway file are verified. These are checked: whether the module exports a plugin,',
    'the ids of what it provides, the range of SDK versions, its permissions and the hooks that it taps, and those contracts',
    'of providers, dialects and checks that need no example of their use.',
    '',
    'The process may read the files of the plugin and of the packages that it imports, and may do nothing else.',
    '',
    'Exit code: 0 nothing is wrong, 1 something is wrong, 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw plugin verify ./acme.mjs'],
} as const satisfies CommandSpec;

export const pluginVerifyTree: CommandTree = { spec };

const reportText = ({ faults, ...facts }: PluginReport): string =>
  `${pluginText(facts)}${faults.map((error) => `  fault: ${error}\n`).join('')}`;

/** Returns the plugins of the gateway file, and the file with what is wrong with it, such as a plugin that is not found. */
const readPackages = async (
  services: CommandServices,
  config: string | undefined,
): Promise<{ readonly targets: readonly string[]; readonly gatewayFile: CompiledFile }> => {
  const gatewayFile = await readGatewayFile(services, config);
  if (gatewayFile === undefined)
    throw new UsageError(
      'There is nothing to verify.',
      'Name a package, a folder, a tarball, or a gateway file: --config FILE.',
    );
  const { pluginDetails = [], text = '', diagnostics } = await readEnvironment(services, gatewayFile);
  return {
    targets: pluginDetails.map(({ file }) => file),
    gatewayFile: { file: displayPath(gatewayFile, services.io.cwd), text, diagnostics },
  };
};

/** `gw plugin verify`: reports what is wrong with plugins. Throws a `UsageError`. */
export const pluginVerify = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const { targets, gatewayFile } =
    positionals.length > 0
      ? { targets: positionals, gatewayFile: undefined }
      : await readPackages(services, values.config);
  const { diagnostics = [] } = gatewayFile ?? {};
  const reports: PluginReport[] = [];
  for (const target of targets) reports.push(await services.verifyPlugin(target));
  const errors = reports.reduce((sum, report) => sum + report.faults.length, 0);
  const more = gatewayFile === undefined ? {} : { diagnostics };
  if (values.format === 'json') io.out.write(`${JSON.stringify({ plugins: reports, ...more }, undefined, 2)}\n`);
  else {
    const counted = `${formatCount(errors, 'fault')} in ${formatCount(reports.length, 'plugin')}.\n`;
    const ofFile =
      gatewayFile === undefined || diagnostics.length === 0 ? '' : formatDiagnostics([gatewayFile], io.out);
    io.out.write(`${ofFile}${reports.map(reportText).join('\n')}\n${counted}`);
  }
  return errors > 0 || diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
};
