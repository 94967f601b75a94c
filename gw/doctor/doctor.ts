import path from 'node:path';
import type { ExitCode } from '../../compiler/cli/command-line/exit-code.ts';
import { readCommandLine } from '../../compiler/cli/command-line/parse-command-line.ts';
import { readCount } from '../../compiler/cli/command-line/read-count.ts';
import type { CommandIo } from '../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import { findGatewayFile } from '../../compiler/cli/files/find-gateway-file.ts';
import { readText } from '../../compiler/cli/files/read-text.ts';
import { findStore, hasStore } from '../../runtime/cli/settings/control-settings.ts';
import { secretReader } from '../../runtime/cli/settings/secret-reader.ts';
import {
  type ServeOptions,
  UsageError as ServeUsageError,
  toAddress,
  toPort,
  toWorkers,
} from '../../runtime/cli/settings/serve-options.ts';
import { servedTrustedHosts } from '../../runtime/cli/settings/to-service-keys.ts';
import { systemClock } from '../../runtime/in-memory/system-clock.ts';
import type { CommandSpec, CommandTree, OptionValues } from '../../schema/command-help/command-spec.ts';
import { builtinEnvironment } from '../environment/builtin-environment.ts';
import { fileEnvironment } from '../environment/file-environment.ts';
import { checks } from './checks.ts';
import { reportJson, reportText } from './report.ts';
import { runChecks } from './run-checks.ts';
import { createSetUp } from './set-up/create-set-up.ts';
import type { SetUp } from './set-up/set-up.ts';

const spec = {
  name: 'gw doctor',
  summary: 'Checks a set-up without serving it or changing anything, and reports what is wrong and how to correct it.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: {
    config: { type: 'string', value: 'FILE', describe: 'The gateway file; gateway.json by default, if there is one.' },
    plans: { type: 'string', value: 'DIR', describe: 'As for gw serve.' },
    store: { type: 'string', value: 'FILE|URL', describe: 'As for gw serve.' },
    host: { type: 'string', value: 'HOST', describe: 'As for gw serve. Environment: HOST.' },
    port: { type: 'string', value: 'PORT', describe: 'As for gw serve. Environment: PORT.' },
    open: { type: 'boolean', describe: 'As for gw serve.' },
    workers: { type: 'string', value: 'N', describe: 'As for gw serve.' },
    'drain-ms': { type: 'string', value: 'MS', describe: 'As for gw serve; it has no effect here.' },
    'drain-delay-ms': { type: 'string', value: 'MS', describe: 'As for gw serve; it has no effect here.' },
    offline: { type: 'boolean', describe: 'Send no requests to providers or receivers of telemetry.' },
    'timeout-ms': {
      type: 'string',
      value: 'MS',
      describe: 'The time-out for each service that is called, in milliseconds; 1500 by default.',
    },
    format: { type: 'string', choices: ['human', 'json'], describe: 'Text, or one JSON document.' },
  },
  notes: [
    'Run it as the user of the gateway, in its folder, and with its environment and flags. All checks run at the same time. Each',
    'provider gets a request for its list of models, with its own credential and only at its own host, which costs nothing;',
    '--offline skips these requests. No secret is printed. The port is opened for a moment to check that it is free.',
    '',
    'Exit code: 0 no error was found, though there may be warnings; 1 an error was found; 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw doctor --offline'],
} as const satisfies CommandSpec;

export const doctorTree: CommandTree = { spec };

type Values = OptionValues<(typeof spec)['options']>;

const toServeOptions = ({ plans, store, host, port, workers, open = false }: Values): ServeOptions => ({
  open,
  help: false,
  ...(plans === undefined ? {} : { plans }),
  ...(store === undefined ? {} : { store }),
  ...(host === undefined ? {} : { host }),
  ...(port === undefined ? {} : { port: toPort(port, '--port') }),
  ...(workers === undefined ? {} : { workers: toWorkers(workers) }),
});

const readSetUp = async (io: CommandIo, values: Values, whenDone: SetUp['whenDone']): Promise<SetUp> => {
  const { env } = process;
  const { cwd } = io;
  const shown = await findGatewayFile(io, values.config);
  const text = shown === undefined ? undefined : await readText(io, shown);
  const file = shown === undefined ? undefined : path.resolve(cwd, shown);
  const environment =
    file === undefined || text === undefined
      ? await builtinEnvironment()
      : await fileEnvironment({ file, text, ...(shown === undefined ? {} : { shown }) }, (line) => io.err.write(line));
  const options = toServeOptions(values);
  const secrets = secretReader(env);
  const { settings } = environment;
  const { host } = toAddress(options, settings.listen, env);
  const from = { settings, ...(file === undefined ? {} : { file }) };
  return createSetUp({
    ...{ cwd, env, options, environment, secrets, file, text, whenDone },
    findStore: () => findStore(options, from, { cwd, read: secrets }),
    trustedHosts: servedTrustedHosts(settings, {
      env,
      host,
      hasStore: hasStore(options, settings),
    }),
    timeoutMs: readCount('timeout-ms', values['timeout-ms']) ?? 1500,
    isOffline: values.offline === true,
  });
};

/** `gw doctor`: checks a set-up. Returns 1 if an error was found. Throws a `UsageError`. */
export const doctor = async (io: CommandIo, argv: readonly string[]): Promise<ExitCode> => {
  const { out } = io;
  const line = readCommandLine(spec, argv, out);
  if (line === undefined) return 0;
  const { values } = line;
  const began = systemClock.monotonic();
  const closing: (() => Promise<void>)[] = [];
  try {
    const setUp = await readSetUp(io, values, (close) => void closing.push(close));
    const isUnread = setUp.environment.unread === true;
    const chosen = checks.filter(
      ({ needsNetwork = false, needsNoFile = false }) =>
        !(needsNetwork && setUp.isOffline) && (!isUnread || needsNoFile),
    );
    const findings = await runChecks(chosen, setUp);
    const milliseconds = Math.round(systemClock.monotonic() - began);
    const report = { findings, checks: chosen.map(({ id }) => id), milliseconds };
    out.write(values.format === 'json' ? reportJson(report) : reportText(report, out));
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  } catch (error) {
    throw error instanceof ServeUsageError ? new UsageError(error.message, 'See gw doctor --help.') : error;
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
};
