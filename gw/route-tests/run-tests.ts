import type { CommandServices, Environment } from '../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import { compileFiles } from '../../compiler/cli/configs/compiled-files.ts';
import { servedFiles } from '../../compiler/cli/files/config-files.ts';
import { readEnvironment, readGatewayFile } from '../../compiler/cli/files/read-environment.ts';
import type { StoreNames } from '../../compiler/cli/saved-configs/store-names.ts';
import { loadWholePlugins } from '../../plugins/sdk/plugin/load-whole-plugins.ts';
import { childPointer, type JsonPointer, joinPointers, rootPointer } from '../../schema/json/pointer.ts';
import { type RoutingPlan, requireFeature } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { loadChecks } from '../environment/load-checks.ts';
import { type ConfigCoverage, configCoverage } from './coverage.ts';
import { findRouteFiles } from './find-route-files.ts';
import { type RouteFile, readRouteFile } from './read-route-file.ts';
import type { BrokenFile, FileResult, Results, TestFailure, TestResult } from './results.ts';
import type { RouteBench } from './route-bench.ts';
import { type Failure, type RunTest, runTest } from './run-test.ts';

export interface RunTestsOptions {
  readonly paths: readonly string[];
  /** The gateway file that `--config` names. */
  readonly config: string | undefined;
  /** Run only tests whose names contain this text; all if absent. */
  readonly filter: string | undefined;
  readonly minCoverage: number | undefined;
  /** Looks up names in a store that the gateway file does not have. */
  readonly names: StoreNames;
}

/** The plans of the configs that tests name, and of those that the gateway serves, with the problems of each. */
interface Plans {
  readonly plans: ReadonlyMap<string, RoutingPlan>;
  readonly broken: readonly BrokenFile[];
}

const compileConfigs = async (
  services: CommandServices,
  configs: readonly string[],
  { config, names }: Pick<RunTestsOptions, 'config' | 'names'>,
): Promise<Plans> => {
  const { files } = await compileFiles(services, { paths: configs, config, names });
  return {
    plans: new Map(files.flatMap(({ file, plan }) => (plan === undefined ? [] : [[file, plan] as const]))),
    broken: files.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error')),
  };
};

/** Reports a test file whose config does not exist. */
const withoutConfig = ({ file, text, config, readSpan }: RouteFile): BrokenFile => {
  const pointer = childPointer(rootPointer, 'config');
  return {
    ...{ file, text },
    diagnostics: [
      {
        ...{ code: 'unknown-config', severity: 'error', file, pointer, span: readSpan(pointer, 'value') },
        message: `There is no config "${config}".`,
        hint: 'Name it by "config": its path is relative to this file.',
      },
    ],
  };
};

/** Prepares what the tests of a plan share, and loads everything that virtual time would not wait for. */
const createBench = async (plan: RoutingPlan, environment: Environment): Promise<RouteBench> => {
  await loadChecks(environment.catalogue, plan);
  const plugins = await loadWholePlugins(environment.plugins);
  const { buildCatalogue } = await import('../../plugins/sdk/plugin/catalogue.ts');
  const needsModels = plan.requires.features.includes(requireFeature);
  const models = needsModels ? await environment.findModel?.() : undefined;
  return { plan, environment, plugins, catalogue: buildCatalogue(plugins), models };
};

const toFailure = (failure: Failure, base: JsonPointer, { readSpan }: RouteFile): TestFailure => {
  const { line, column } = readSpan(joinPointers(base, failure.pointer), 'key');
  return failure.kind === 'problem'
    ? { line, column, problem: `${failure.message} ${failure.hint}` }
    : { line, column, expected: failure.expected, got: failure.got };
};

const toResult = (name: string, { failures, story }: RunTest, index: number, file: RouteFile): TestResult => {
  const base = childPointer(rootPointer, 'tests', index);
  return {
    ...{ name, story, line: file.readSpan(childPointer(base, 'name'), 'key').line },
    failures: failures.map((failure) => toFailure(failure, base, file)),
  };
};

const runFile = async (
  file: RouteFile,
  bench: RouteBench,
  filter: string | undefined,
): Promise<{ readonly result: FileResult; readonly trails: readonly (readonly TrailEvent[])[] }> => {
  const tests: TestResult[] = [];
  const trails: (readonly TrailEvent[])[] = [];
  for (const [index, test] of file.tests.entries()) {
    if (filter !== undefined && !test.name.toLowerCase().includes(filter.toLowerCase())) continue;
    const ran = await runTest(bench, test);
    trails.push(...ran.trails);
    tests.push(toResult(test.name, ran, index, file));
  }
  return { result: { file: file.file, config: file.config, tests }, trails };
};

const isUsable = (file: RouteFile | BrokenFile): file is RouteFile => 'tests' in file;

/** Runs the route tests that arguments name. Throws a `UsageError` if there are none, or if a path is wrong. */
export const runTests = async (
  services: CommandServices,
  { paths, config, filter, minCoverage, names }: RunTestsOptions,
): Promise<Results> => {
  const { io } = services;
  const read = await Promise.all((await findRouteFiles(io, paths)).map((file) => readRouteFile(io, file)));
  const usable = read.filter(isUsable);
  const kinds = await Promise.all(usable.map((file) => io.readKind(file.config)));
  const files = usable.filter((_, index) => kinds[index] === 'file');
  const lost = usable.filter((_, index) => kinds[index] !== 'file').map(withoutConfig);
  const gatewayFile = await readGatewayFile(services, config);
  const { text: _text, ...environment } = await readEnvironment(services, gatewayFile);
  const { configsFolder } = environment;
  const served = configsFolder === undefined ? [] : await servedFiles(io, configsFolder, gatewayFile);
  const configs = [...new Set([...files.map((file) => file.config), ...served.map(({ file }) => file)])];
  const { plans, broken } =
    configs.length === 0
      ? { plans: new Map(), broken: [] }
      : await compileConfigs(services, configs, { config, names });
  const results: FileResult[] = [];
  const trails = new Map<string, (readonly TrailEvent[])[]>();
  const benches = new Map<string, RouteBench>();
  for (const file of files) {
    const plan = plans.get(file.config);
    if (plan === undefined) continue;
    const bench = benches.get(file.config) ?? (await createBench(plan, environment));
    benches.set(file.config, bench);
    const { result, trails: own } = await runFile(file, bench, filter);
    if (result.tests.length > 0) results.push(result);
    trails.set(file.config, [...(trails.get(file.config) ?? []), ...own]);
  }
  if (filter !== undefined && results.length === 0 && files.length > 0)
    throw new UsageError(`No test has a name with "${filter}".`, 'Leave out --filter to run all of them.');
  const coverage = [...plans].map(([name, plan]): ConfigCoverage => configCoverage(name, plan, trails.get(name) ?? []));
  const unusable = read.flatMap((file) => (isUsable(file) ? [] : [file]));
  return { broken: [...unusable, ...lost, ...broken], files: results, coverage, minCoverage };
};
