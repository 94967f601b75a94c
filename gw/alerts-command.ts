import { randomUUID } from 'node:crypto';
import type { ExitCode } from '../compiler/cli/command-line/exit-code.ts';
import { configOption } from '../compiler/cli/command-line/format-option.ts';
import { readCommandLine } from '../compiler/cli/command-line/parse-command-line.ts';
import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { toForm } from '../plugins/alerts/forms/to-form.ts';
import type { AlertSettings } from '../plugins/alerts/messages/alert.ts';
import { testAlerts } from '../plugins/alerts/test-alerts.ts';
import { textReader } from '../runtime/cli/settings/alert-settings.ts';
import { secretReader } from '../runtime/cli/settings/secret-reader.ts';
import { systemClock } from '../runtime/in-memory/system-clock.ts';
import type { CommandSpec, CommandTree } from '../schema/command-help/command-spec.ts';
import { readFoundEnvironment } from './environment/found-environment.ts';
import { openGatewayCalls } from './open-gateway-calls.ts';

const spec = {
  name: 'gw alerts test',
  summary: 'Sends a test message to the alert receivers of the gateway file, and prints how each one answered.',
  positionals: '',
  takes: { min: 0, max: 0 },
  options: {
    config: configOption,
    to: {
      type: 'string',
      value: 'N|KIND',
      describe: 'One receiver, by its position from 1, or all of a kind: webhook, slack or pagerduty.',
    },
  },
  notes:
    'Each receiver gets one message, whichever alerts it is configured for. A PagerDuty incident is resolved immediately.\n' +
    'Exit code: 0 all receivers accepted it, 1 one did not, 2 the command cannot be run.',
  examples: ['gw alerts test --to webhook'],
} as const satisfies CommandSpec;

export const alertsTree: CommandTree = { commands: { test: { spec } } };

const help = [
  'Usage: gw alerts test [arguments]',
  '',
  `  test  ${spec.summary}`,
  '',
  'gw alerts test --help says more.',
  '',
].join('\n');

/** Returns the positions of the requested receivers, counted from 1. */
const findNumbers = ({ to }: AlertSettings, asked: string | undefined): readonly number[] => {
  const numbers = to.flatMap((receiver, index) =>
    asked === undefined || asked === String(index + 1) || asked === toForm(receiver).kind ? [index + 1] : [],
  );
  if (numbers.length > 0) return numbers;
  throw new UsageError(
    `No receiver of alerts is "${asked}".`,
    `Write a number up to ${to.length}, or a kind that the gateway file has.`,
  );
};

const test = async (io: CommandIo, argv: readonly string[]): Promise<ExitCode> => {
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values } = given;
  const { environment } = await readFoundEnvironment(io, values.config);
  const { settings, plugins } = environment;
  const { alerts } = settings;
  if (alerts === undefined)
    throw new UsageError('There are no receivers of alerts.', 'Add "alerts" to the gateway file.');
  const numbers = findNumbers(alerts, values.to);
  const { http, close } = await openGatewayCalls({ plugins, settings, env: process.env });
  try {
    const read = textReader(secretReader(process.env));
    const tested = await testAlerts({
      ...{ settings: alerts, numbers, http, read, clock: systemClock },
      newId: () => `msg_${randomUUID()}`,
    });
    for (const { number, to, isDelivered, answer } of tested)
      io.out.write(`${number}  ${to.padEnd('pagerduty'.length)}  ${isDelivered ? 'delivered' : 'FAILED'}  ${answer}\n`);
    return tested.every(({ isDelivered }) => isDelivered) ? 0 : 1;
  } finally {
    await close();
  }
};

/** `gw alerts`. Throws a `UsageError`. */
export const alerts = async (io: CommandIo, [name, ...rest]: readonly string[]): Promise<ExitCode> => {
  if (name === 'test') return test(io, rest);
  if (name !== '--help' && name !== '-h' && name !== 'help')
    throw new UsageError(
      name === undefined ? 'gw alerts requires a command.' : `There is no command "gw alerts ${name}".`,
      'Use gw alerts test.',
    );
  io.out.write(help);
  return 0;
};
