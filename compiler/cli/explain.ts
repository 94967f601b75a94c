import path from 'node:path';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { AskedStore } from '../../schema/config/saved-names.ts';
import { readVirtualTargets, virtualNames } from '../../schema/config/virtual-models.ts';
import { loadPlan } from '../../schema/plan/load-plan.ts';
import type { RoutingPlan, Target } from '../../schema/plan/plan.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import { PlanLoadError } from '../../schema/plan/plan-load-error.ts';
import { commandHelp } from './command-line/command-help.ts';
import type { CommandSpec } from './command-line/command-spec.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { configOption, formatOption, storeOptions } from './command-line/format-option.ts';
import { parseCommandLine } from './command-line/parse-command-line.ts';
import type { CommandServices, Environment, StoreFlags, TargetModel } from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { compileFiles, gatewayDiagnostics } from './configs/compiled-files.ts';
import { clientDialect } from './explain/client-dialect.ts';
import { dialectJson } from './explain/dialect-json.ts';
import { modelsJson } from './explain/models-json.ts';
import { planText } from './explain/plan-text.ts';
import { readText } from './files/read-text.ts';
import { readEnvironment, readGatewayFile } from './gateway-file/read-environment.ts';
import { type ReplayedRequest, type RequestText, replayRequest } from './replay/replay-request.ts';
import { replayText } from './replay/replay-text.ts';
import type { CompiledFile } from './report/compiled-file.ts';
import { countDiagnostics, countText, formatDiagnostics, formatJson } from './report/report.ts';
import {
  compileSavedConfig,
  type RecordedPlan,
  recordedPlan,
  type SavedVersion,
  savedVersionText,
} from './saved/compile-saved-config.ts';
import { StoreNames } from './saved/store-names.ts';

const spec = {
  name: 'gw explain',
  summary: 'Shows the plan of a config: its tree, targets, bounds, and why a leaf is not byte-exact.',
  positionals: 'FILE|NAME',
  takes: { least: 0, most: 1 },
  options: {
    request: { type: 'string', value: 'FILE', describe: 'Run this request through the plan and print its trail.' },
    log: { type: 'string', value: 'ID', describe: "The same with a record of a gateway's log: gw logs lists them." },
    dialect: {
      type: 'string',
      value: 'ID',
      describe: 'How each leaf serves the clients of this dialect, and what they may lose in translation.',
    },
    ...storeOptions,
    config: configOption,
    format: formatOption,
  },
  notes: [
    'FILE is a config, or a compiled NAME.plan.json. NAME is a config that a gateway with a store has; with --log alone it is',
    'the one of the record, in the version that served the request.',
    '',
    'Where client and provider speak the same dialect, bytes are passed on as received. Otherwise requests and answers are',
    'translated, and --dialect lists what the other format cannot carry: chat, messages, or another dialect of clients.',
    '',
    'A request file is JSON, JSONC or YAML, as its name says, every member optional:',
    '  { "method": "POST", "path": "/v1/chat/completions", "headers": {}, "metadata": {}, "body": {}, "seed": 1,',
    '    "upstream": [{ "target": "fast", "status": 529, "headers": { "retry-after": "2" } }, { "error": "hang" }] }',
    'Each call uses the first unused step of "upstream" that names its target, or no target; a call without a step is',
    'answered with 200. "error" is one of refused, busy, hang, cut and in-band; with "stream": true it happens after the',
    'first content of a stream. "plan_model" is the fact plan.model, where a virtual model stands for the config.',
    'No request is sent, no secret is needed, and no time passes.',
    '',
    'A line of the request log (GW_LOG=requests gw serve) can be used as a request file: the seed, the faults, the states',
    'of the circuits and the verdicts of the checks are then taken from its trail.',
    '',
    '--log and NAME ask the gateway of --profile, or that of GW_URL with the key of GW_API_KEY, or of the profile "default". So',
    'does a FILE for what it names and the gateway file does not have.',
    '',
    'Exit code: 0 explained, 1 the config has errors, 2 the command cannot be run.',
  ].join('\n'),
} as const satisfies CommandSpec;

type Explained =
  | {
      readonly plan: RoutingPlan;
      readonly environment: Environment;
      readonly file: CompiledFile;
      /** With the gateway file, where it has findings. */
      readonly files: readonly CompiledFile[];
      /** The version of a config that a store has. */
      readonly saved?: SavedVersion;
    }
  | { readonly plan?: never; readonly files: readonly CompiledFile[] };

type Flags = StoreFlags & {
  readonly config?: string | undefined;
  readonly request?: string | undefined;
  readonly log?: string | undefined;
};

const loadFile = (text: string, file: string): RoutingPlan => {
  try {
    return loadPlan(text);
  } catch (error) {
    if (error instanceof PlanLoadError) throw new UsageError(`${file} cannot be loaded.`, error.message);
    throw error;
  }
};

const explainedFile = async (services: CommandServices, file: string, flags: Flags): Promise<Explained> => {
  const { config } = flags;
  if (path.basename(file).endsWith('.plan.json')) {
    const text = await readText(services.io, file);
    const plan = loadFile(text, file);
    const environment = await readEnvironment(services, await readGatewayFile(services, config));
    const loaded: CompiledFile = { file, text, plan, diagnostics: [] };
    return { plan, environment, file: loaded, files: [loaded] };
  }
  if ((await services.io.readKind(file)) === 'folder')
    throw new UsageError(`"${file}" is a folder.`, 'Name one config in it, or one compiled plan.');
  const names = new StoreNames(() => services.storeIfSet(flags));
  const { environment, files } = await compileFiles(services, { paths: [file], config, names });
  const compiled = files.at(-1);
  return compiled?.plan === undefined ? { files } : { plan: compiled.plan, environment, file: compiled, files };
};

/** The plan of a config that a store has. */
const explainedName = async (
  services: CommandServices,
  name: string,
  { store, recorded, config }: Pick<Flags, 'config'> & { readonly store: AskedStore; readonly recorded?: RecordedPlan },
): Promise<Explained> => {
  const gatewayFile = await readGatewayFile(services, config);
  const { text, ...environment } = await readEnvironment(services, gatewayFile);
  const own = gatewayDiagnostics({ ...environment, ...(text !== undefined && { text }) }, gatewayFile, services.io.cwd);
  if (environment.unread === true) return { files: own };
  const compiled = await compileSavedConfig(services, name, { environment, store, recorded });
  const { plan, saved } = compiled;
  const files = [...own, compiled];
  return plan === undefined
    ? { files }
    : { plan, environment: { ...environment, hasStore: true }, file: compiled, files, saved };
};

/** Whether a text can be the name of a saved config. */
const isName = (text: string): boolean => /^[\w-]{1,255}$/.test(text);

interface Asked {
  readonly name: string | undefined;
  readonly flags: Flags;
  readonly recorded: RecordedPlan | undefined;
}

/** Finds the plan to explain: a file if there is one of the name, and else a config that a store has. */
const explainedPlan = async (services: CommandServices, { name, flags, recorded }: Asked): Promise<Explained> => {
  const { config } = flags;
  const saved = name ?? recorded?.config;
  if (saved === undefined)
    throw new UsageError(
      `The record ${flags.log} names no config: the request brought its own, or needed none.`,
      'Write that config into a file, and name it: gw explain FILE --log ID.',
    );
  const isFile = name !== undefined && (!isName(name) || (await services.io.readKind(name)) !== undefined);
  if (isFile) return explainedFile(services, name, flags);
  const store = await (recorded === undefined ? services.storeIfSet(flags) : services.store(flags));
  return store === undefined
    ? explainedFile(services, saved, flags)
    : explainedName(services, saved, { store, config, ...(recorded && { recorded }) });
};

/** Finds the facts of the models that the targets of a plan call. */
const targetModels = async (
  { targets }: RoutingPlan,
  { targetModel }: Environment,
): Promise<ReadonlyMap<Target, TargetModel>> => {
  const found = await Promise.all(targets.map(async (target) => [target, await targetModel?.(target)] as const));
  return new Map(found.flatMap(([target, model]) => (model === undefined ? [] : [[target, model] as const])));
};

/** Everything that is shown of a plan beside its diagnostics. */
interface ExplainedModel {
  readonly request: ReplayedRequest | undefined;
  readonly client: Dialect | undefined;
  readonly saved: SavedVersion | undefined;
  readonly models: ReadonlyMap<Target, TargetModel>;
}

const explainedJson = (
  plan: RoutingPlan,
  { diagnostics, catalogue }: Pick<CompiledFile, 'diagnostics'> & Pick<Environment, 'catalogue'>,
  { request, client, saved, models }: ExplainedModel,
): string => {
  const dialect = client === undefined ? undefined : dialectJson(plan, client, catalogue);
  const explained = {
    ...(saved && { config: saved }),
    plan,
    diagnostics,
    models: modelsJson(plan, models),
    ...(dialect && { dialect }),
    ...(request && { request }),
  };
  return `${JSON.stringify(explained, undefined, 2)}\n`;
};

/** The request to try, of a file or of a log; undefined if none is named. */
const requestText = async (services: CommandServices, flags: Flags): Promise<RequestText | undefined> => {
  const { request, log } = flags;
  if (request !== undefined && log !== undefined)
    throw new UsageError('--request and --log are both given.', 'Name one request.');
  if (log !== undefined) return { text: await (await services.store(flags)).record(log), file: `the record ${log}` };
  return request === undefined ? undefined : { text: await readText(services.io, request), file: request };
};

/** `gw explain`: prints a plan; with `--request` how one request goes through it, with `--dialect` how clients of a dialect are served. Throws a `UsageError`. */
export const explain = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values, positionals } = parseCommandLine(spec, argv);
  const { io } = services;
  const [name] = positionals;
  if (help) {
    io.out.write(commandHelp(spec));
    return 0;
  }
  if (name === undefined && values.log === undefined)
    throw new UsageError('gw explain requires FILE, NAME or --log ID.', 'See gw explain --help.');
  const json = values.format === 'json';
  const text = await requestText(services, values);
  const recorded = text === undefined || values.log === undefined ? undefined : recordedPlan(text.text);
  const explained = await explainedPlan(services, { name, flags: values, recorded });
  if (explained.plan === undefined) {
    const { files } = explained;
    io.out.write(
      json
        ? formatJson(files)
        : `${formatDiagnostics(files, io.out)}${countText(countDiagnostics(files), files.length)}\n`,
    );
    return 1;
  }
  const { plan, environment, file: compiled, saved } = explained;
  const { catalogue, passThrough, reading, promptCache, hasStore } = environment;
  const virtualModels = virtualNames(readVirtualTargets(environment.saved.models ?? {}), planFileName(plan.name));
  const client = values.dialect === undefined ? undefined : clientDialect(catalogue, values.dialect);
  const request = text && (await replayRequest(services, { plan, environment, request: text }));
  const { diagnostics } = compiled;
  const models = await targetModels(plan, environment);
  if (json) io.out.write(explainedJson(plan, { diagnostics, catalogue }, { request, client, saved, models }));
  else
    io.out.write(
      [
        formatDiagnostics(explained.files, io.out),
        saved === undefined ? '' : savedVersionText(saved, recorded),
        planText(plan, { catalogue, client, passThrough, reading, promptCache, hasStore, virtualModels, models }),
        ...(request === undefined ? [] : ['\n', replayText(request, plan)]),
      ].join(''),
    );
  return 0;
};
