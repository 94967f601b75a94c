import type { ExitCode } from '../../compiler/cli/command-line/exit-code.ts';
import { configOption, storeOptions } from '../../compiler/cli/command-line/format-option.ts';
import { readCommandLine } from '../../compiler/cli/command-line/parse-command-line.ts';
import { readCount } from '../../compiler/cli/command-line/read-count.ts';
import type { CommandServices } from '../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import { StoreNames } from '../../compiler/cli/saved-configs/store-names.ts';
import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import { percentReached } from './coverage.ts';
import { jsonReport } from './json-report.ts';
import { junitReport } from './junit-report.ts';
import { countResults, type Results } from './results.ts';
import { type RunTestsOptions, runTests } from './run-tests.ts';
import { textReport } from './text-report.ts';

const spec = {
  name: 'gw test',
  summary:
    'Runs route tests, which check what configs do with requests, on the real linker and without a network or real waits.',
  positionals: '[FILE|DIR…]',
  takes: { min: 0, max: Number.POSITIVE_INFINITY },
  options: {
    config: configOption,
    ...storeOptions,
    filter: { type: 'string', value: 'TEXT', describe: 'Run only tests whose names contain this text, ignoring case.' },
    'min-coverage': {
      type: 'string',
      value: 'PERCENT',
      describe: 'Fail if the tests cover less than this of what requests can do with the configs.',
    },
    watch: { type: 'boolean', describe: 'Run again whenever a test, a config or the gateway file changes.' },
    format: {
      type: 'string',
      choices: ['human', 'json', 'junit'],
      describe: 'Text, one JSON document, or JUnit XML for a CI server.',
    },
  },
  notes: [
    'In a folder (by default the working folder), every *.route.yaml, *.route.yml and *.route.json file is read, including those',
    'of its sub-folders. Such a file specifies requests, the answers of each target, and what is expected:',
    '  config: configs/prod.json',
    '  tests:',
    '    - name: falls back when OpenAI is overloaded',
    '      when: { gpt: [{ status: 529 }] }',
    '      expect: { calls: [gpt, claude], status: 200 }',
    'schema/route-test.schema.json is the full format, also for editors.',
    '',
    'Targets are simulated, and so are checks for which "checks" specifies a verdict; everything else is what gw serve runs. After',
    'the tests, it lists the branches, targets and outcomes that no test reaches, in the tested configs and in those that the',
    'gateway file names: fallbacks that are not taken, retries, time-outs, circuits, denials, the cache, the deadline.',
    '',
    'A saved provider, virtual key, guardrail or prompt that the gateway file does not have is looked up in the store of the gateway',
    'that --profile, GW_URL with GW_API_KEY, or the profile "default" names. If none of them is set, no store is used.',
    '',
    'Tests in code use gatewright/testing, and run with the rest of your tests.',
    '',
    'Exit code: 0 all tests passed; 1 a test failed, a file has errors, or coverage is too low; 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw test configs'],
} as const satisfies CommandSpec;

export const testTree: CommandTree = { spec };

const readPercent = (value: string | undefined): number | undefined => {
  const percent = readCount('min-coverage', value);
  if (percent !== undefined && percent > 100)
    throw new UsageError('The flag --min-coverage cannot be more than 100.', 'Write a percentage, such as 80.');
  return percent;
};

/** Whether all tests passed and coverage is sufficient. */
const isGood = (results: Results): boolean => {
  const { failed, errors } = countResults(results);
  return failed + errors === 0 && percentReached(results.coverage) >= (results.minCoverage ?? 0);
};

const reports = { json: jsonReport, junit: junitReport } as const;

/** `gw test`: runs route tests. Returns 1 if one fails, or if coverage is too low. Throws a `UsageError`. */
export const test = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { out } = services.io;
  const given = readCommandLine(spec, argv, out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const { format = 'human', config, filter } = values;
  const paths = positionals.length === 0 ? ['.'] : positionals;
  const minCoverage = readPercent(values['min-coverage']);
  const run = async (): Promise<ExitCode> => {
    const names = new StoreNames(() => services.storeIfSet(values));
    const options: RunTestsOptions = { paths, config, filter, minCoverage, names };
    const results = await runTests(services, options);
    out.write(format === 'human' ? textReport(results, out) : reports[format](results));
    return isGood(results) ? 0 : 1;
  };
  if (values.watch !== true) return run();
  const { watchTests } = await import('./watch.ts');
  return watchTests(services, { paths, config, run });
};
