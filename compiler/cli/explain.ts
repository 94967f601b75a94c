import path from 'node:path';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import type { AskedStore } from '../../schema/config/saved-names.ts';
import { readVirtualTargets, virtualNames } from '../../schema/config/virtual-models.ts';
import { loadPlan } from '../../schema/plan/load-plan.ts';
import type { RoutingPlan, Target } from '../../schema/plan/plan.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import { PlanLoadError } from '../../schema/plan/plan-load-error.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { configOption, formatOption, storeOptions } from './command-line/format-option.ts';
import { readCommandLine } from './command-line/parse-command-line.ts';
import type {
  CommandIo,
  CommandServices,
  Environment,
  StoreFlags,
  TargetModel,
  TextOutput,
} from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { compileFiles, gatewayDiagnostics } from './configs/compiled-files.ts';
import { withGatewayFileHint } from './configs/in-gateway-file.ts';
import { servedByAnother } from './configs/served-by-another.ts';
import { clientDialect } from './explain/client-dialect.ts';
import { targetModels } from './explain/describe-model.ts';
import { dialectJson } from './explain/dialect-json.ts';
import { modelsJson } from './explain/models-json.ts';
import { type OddsOfKinds, oddsOfKinds } from './explain/odds-of-kinds.ts';
import { oddsJson, oddsText } from './explain/odds-text.ts';
import { gapsJson } from './explain/plan-gaps.ts';
import { planText } from './explain/plan-text.ts';
import { type OddsRequest, readFailures, readTokens } from './explain/read-odds.ts';
import { readEnvironment, readGatewayFile } from './files/read-environment.ts';
import { readText } from './files/read-text.ts';
import { type ReplayedRequest, type RequestText, type RunScript, replayRequest } from './replay/replay-request.ts';
import { replayText } from './replay/replay-text.ts';
import type { CompiledFile } from './report/compiled-file.ts';
import { findingsText, formatDiagnostics, formatJson } from './report/report.ts';
import {
  compileSavedConfig,
  type RecordedPlan,
  recordedPlan,
  type SavedVersion,
  savedVersionText,
} from './saved-configs/compile-saved-config.ts';
import { StoreNames } from './saved-configs/store-names.ts';

const pictureFormats = ['mermaid', 'dot', 'svg'] as const;

type PictureFormat = (typeof pictureFormats)[number];

const isPicture = (format: string | undefined): format is PictureFormat =>
  pictureFormats.some((each) => each === format);

const spec = {
  name: 'gw explain',
  summary:
    'Shows the plan of a config: its tree, its targets, its bounds, and why a leaf does not forward bytes unchanged.',
  positionals: 'FILE|NAME',
  takes: { min: 0, max: 1 },
  options: {
    request: { type: 'string', value: 'FILE', describe: 'Run this request through the plan and print its trail.' },
    log: { type: 'string', value: 'ID', describe: "Do the same with a record of a gateway's log; gw logs lists them." },
    dialect: {
      type: 'string',
      value: 'ID',
      describe: 'Show how each leaf serves clients of this dialect, and what translation may lose.',
    },
    code: {
      type: 'string',
      value: 'CODE',
      describe: 'Instead of a plan, explain a code: of a finding, of an error answer, or of a cause in the log.',
    },
    odds: {
      type: 'boolean',
      describe: 'Show how likely each target is to be reached, and the expected calls, waits and cost.',
    },
    fail: {
      type: 'string',
      value: 'TARGET=SHARE',
      many: true,
      describe: "Do the same if this share of a target's calls fails: fast=0.1, fast=0.1:429, :timeout or :network.",
    },
    tokens: {
      type: 'string',
      value: 'IN,OUT',
      describe: 'Do the same, with the cost of a request of this many tokens.',
    },
    ...storeOptions,
    config: configOption,
    format: {
      ...formatOption,
      choices: ['human', 'json', ...pictureFormats],
      describe: 'Text, one JSON document, or a picture of the plan.',
    },
  },
  notes: [
    'FILE is a config, or a compiled NAME.plan.json. NAME is a config of a gateway with a store. With --log and no NAME, it is the',
    'config of the record, in the version that served the request.',
    '',
    'If client and provider use the same dialect, bytes are forwarded as received. Otherwise requests and answers are translated,',
    'and --dialect (chat, messages, or another dialect of clients) lists what the other format cannot express.',
    '',
    'The odds are exact: calls fail independently, with 503 unless --fail specifies otherwise, and all circuits are closed. A failed',
    'call is not charged, but one that times out is. Conditionals choose by the request, so each kind of request that they',
    'distinguish has its own odds.',
    '',
    'A picture shows only the groups and targets of the plan: --format svg > plan.svg, or the text for Mermaid or Graphviz. If a plan',
    'has very many targets, the picture shows the first ones and the number of the rest.',
    '',
    'A request file is JSON, JSONC or YAML, according to its name. Every member is optional:',
    '  { "method": "POST", "path": "/v1/chat/completions", "headers": {}, "metadata": {}, "body": {}, "seed": 1,',
    '    "upstream": [{ "target": "fast", "status": 529, "headers": { "retry-after": "2" } }, { "error": "hang" }] }',
    'Each call uses the first unused step of "upstream" that names its target or names no target. A call without a step is',
    'answered with 200. "error" is one of refused, busy, hang, cut and in-band; with "stream": true it happens after the',
    'first content of a stream. "plan_model" is the fact plan.model, if a virtual model stands for the config.',
    'No request is sent, no secret is needed, and no time passes.',
    '',
    'A line of the request log (GW_LOG=requests gw serve) can be used as a request file: the seed, the faults, the states',
    'of the circuits and the verdicts of the checks are then taken from its trail.',
    '',
    '--log and NAME use the gateway of --profile, or that of GW_URL with the key of GW_API_KEY, or that of the profile "default".',
    'So does a FILE, for names that the gateway file does not have.',
    '',
    'Exit code: 0 explained, 1 the config has errors, 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw explain configs/prod.json --odds', 'gw explain configs/prod.json --request request.json'],
} as const satisfies CommandSpec;

export const explainTree: CommandTree = { spec };

type Explained =
  | {
      readonly plan: RoutingPlan;
      readonly environment: Environment;
      readonly file: CompiledFile;
      /** With the gateway file, if it has findings. */
      readonly files: readonly CompiledFile[];
      /** The version of a config of a store. */
      readonly saved?: SavedVersion;
      /** A sentence on another config that served the recorded request. */
      readonly other?: string;
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

type StoredRecord = Pick<Flags, 'config' | 'log'> & { readonly store: AskedStore; readonly recorded?: RecordedPlan };

/** Returns the plan of a config of a store. */
const explainedName = async (
  services: CommandServices,
  name: string,
  { store, recorded, config, log }: StoredRecord,
): Promise<Explained> => {
  const gatewayFile = await readGatewayFile(services, config);
  const { text, ...environment } = await readEnvironment(services, gatewayFile);
  const own = gatewayDiagnostics({ ...environment, ...(text !== undefined && { text }) }, gatewayFile, services.io.cwd);
  if (environment.unread === true) return { files: own };
  const compiled = await withGatewayFileHint(
    () => compileSavedConfig(services, name, { environment, store, recorded }),
    services.io,
    { name, log, environment, gatewayFile },
  );
  const { plan, saved } = compiled;
  const files = [...own, compiled];
  if (plan === undefined) return { files };
  const other =
    recorded === undefined || log === undefined
      ? undefined
      : await servedByAnother(services.io, saved, { recorded, log, store, environment, gatewayFile });
  const shown = { plan, environment: { ...environment, hasStore: true }, file: compiled, files, saved };
  return other === undefined ? shown : { ...shown, other };
};

/** Whether a text can be the name of a saved config. */
const isName = (text: string): boolean => /^[\w-]{1,255}$/.test(text);

interface Asked {
  readonly name: string | undefined;
  readonly flags: Flags;
  readonly recorded: RecordedPlan | undefined;
}

/** Finds the plan to explain: a file if one has the name, or else a config of a store. */
const explainedPlan = async (services: CommandServices, { name, flags, recorded }: Asked): Promise<Explained> => {
  const { config, log } = flags;
  const saved = name ?? recorded?.config;
  if (saved === undefined)
    throw new UsageError(
      `The record ${flags.log} names no config: its request included its own, or only named a provider or a model.`,
      'Write what chose its target into a file, such as {"provider":"@openai"}, and name it: gw explain FILE --log ID.',
    );
  const isFile = name !== undefined && (!isName(name) || (await services.io.readKind(name)) !== undefined);
  if (isFile) return explainedFile(services, name, flags);
  const store = await (recorded === undefined ? services.storeIfSet(flags) : services.store(flags));
  return store === undefined
    ? explainedFile(services, saved, flags)
    : explainedName(services, saved, { store, config, log, ...(recorded && { recorded }) });
};

interface FoundOdds {
  readonly found: OddsOfKinds;
  readonly asked: OddsRequest;
}

/** Everything that is shown about a plan beside its diagnostics. */
interface ExplainedModel {
  readonly request: ReplayedRequest | undefined;
  readonly client: Dialect | undefined;
  readonly saved: SavedVersion | undefined;
  readonly models: ReadonlyMap<Target, TargetModel>;
  readonly odds: FoundOdds | undefined;
}

const explainedJson = (
  plan: RoutingPlan,
  { diagnostics, catalogue }: Pick<CompiledFile, 'diagnostics'> & Pick<Environment, 'catalogue'>,
  { request, client, saved, models, odds }: ExplainedModel,
): string => {
  const dialect = client === undefined ? undefined : dialectJson(plan, client, catalogue);
  const explained = {
    ...(saved && { config: saved }),
    plan,
    diagnostics,
    models: modelsJson(plan, models),
    gaps: gapsJson(plan, { catalogue, client, models }),
    ...(odds && { odds: oddsJson(plan, odds.found, odds.asked) }),
    ...(dialect && { dialect }),
    ...(request && { request }),
  };
  return `${JSON.stringify(explained, undefined, 2)}\n`;
};

/** Returns the plan of a request in a log. Throws a `UsageError` if the request was refused before a plan was chosen. */
const planOfRecord = (text: string, id: string): RecordedPlan => {
  const recorded = recordedPlan(text);
  const { plan, status, cause } = recorded;
  if (plan !== undefined || cause === undefined) return recorded;
  throw new UsageError(
    `The request ${id} reached no plan: it was answered with ${status} "${cause}".`,
    `gw explain --code ${cause} explains why, and what to do.`,
  );
};

/** Returns the request to try, from a file or a log; undefined if none is named. */
const requestText = async (services: CommandServices, flags: Flags): Promise<RequestText | undefined> => {
  const { request, log } = flags;
  if (request !== undefined && log !== undefined)
    throw new UsageError('--request and --log are both given.', 'Name one request.');
  if (log !== undefined) return { text: await (await services.store(flags)).record(log), file: `the record ${log}` };
  return request === undefined ? undefined : { text: await readText(services.io, request), file: request };
};

type OddsFlags = {
  readonly odds?: boolean;
  readonly fail?: readonly string[];
  readonly tokens?: string;
};

const isOddsAsked = ({ odds, fail, tokens }: OddsFlags): boolean =>
  odds === true || fail !== undefined || tokens !== undefined;

/** The options whose results a picture has no place for. */
const unpicturedOptions = ['code', 'request', 'dialect', 'odds', 'fail', 'tokens'] as const;

/** Throws a `UsageError` if a picture is requested together with an option that it would ignore. */
const refuseUnpictured = (
  format: string | undefined,
  values: { readonly [Option in (typeof unpicturedOptions)[number]]?: unknown },
): void => {
  if (!isPicture(format)) return;
  const option = unpicturedOptions.find((each) => values[each] !== undefined && values[each] !== false);
  if (option === undefined) return;
  throw new UsageError(
    `A picture shows only the plan, so --${option} has no effect with --format ${format}.`,
    `Leave out --${option}, or use --format human or --format json.`,
  );
};

/** Computes the odds of a plan, with the prices of its targets for requests of `--tokens`. */
const findOdds = async (
  plan: RoutingPlan,
  { priceCall }: Pick<Environment, 'priceCall'>,
  { fail = [], tokens: text }: OddsFlags,
): Promise<FoundOdds> => {
  const tokens = readTokens(text);
  const asked = { failures: readFailures(fail, plan), tokens };
  const costs = new Map<Target, number>();
  if (tokens !== undefined)
    for (const target of plan.targets) {
      const cost = await priceCall?.(target, tokens);
      if (cost !== undefined) costs.set(target, cost);
    }
  const found = oddsOfKinds(plan, { failures: asked.failures, callCost: (target) => costs.get(target) });
  return { found, asked };
};

/** Prints what a code means. */
const printCode = async (code: string, { out }: CommandIo, isJson: boolean): Promise<ExitCode> => {
  const { codeJson, explainCode } = await import('./explain/error-codes/explain-code.ts');
  out.write(isJson ? `${JSON.stringify(codeJson(code), undefined, 2)}\n` : explainCode(code));
  return 0;
};

/** Prints what is wrong with a config that has no plan. */
const printErrors = (files: readonly CompiledFile[], out: TextOutput, isJson: boolean): ExitCode => {
  out.write(isJson ? formatJson(files) : findingsText(files, out));
  return 1;
};

/**
 * `gw explain`: prints a plan; with `--request`, how one request passes through it; with `--dialect`, how clients of a dialect
 * are served; with `--odds`, what to expect; with `--code`, what a code means. Throws a `UsageError`.
 */
export const explain = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const [name] = positionals;
  const { format, code } = values;
  const json = format === 'json';
  refuseUnpictured(format, values);
  if (code !== undefined && name !== undefined) throw new UsageError('--code needs no FILE.', `Leave out "${name}".`);
  if (code !== undefined) return printCode(code, io, json);
  if (name === undefined && values.log === undefined)
    throw new UsageError('gw explain requires FILE, NAME, --log ID or --code CODE.', 'See gw explain --help.');
  const text = await requestText(services, values);
  const recorded = text === undefined || values.log === undefined ? undefined : planOfRecord(text.text, values.log);
  const explained = await explainedPlan(services, { name, flags: values, recorded });
  // A picture is written to a file, which must contain nothing else.
  if (explained.plan === undefined) return printErrors(explained.files, isPicture(format) ? io.err : io.out, json);
  const { plan, environment, file: compiled, saved, other } = explained;
  if (isPicture(format)) {
    const { pictures } = await import('./explain/picture/pictures.ts');
    io.out.write(pictures[format](plan));
    return 0;
  }
  const { catalogue, passThrough, reading, promptCache, hasStore } = environment;
  const virtualModels = virtualNames(readVirtualTargets(environment.saved.models ?? {}), planFileName(plan.name));
  const client = values.dialect === undefined ? undefined : clientDialect(catalogue, values.dialect);
  const run: RunScript = (on, script) => services.replay(on, script, environment);
  const request = text && (await replayRequest(run, { plan, request: text }));
  const { diagnostics } = compiled;
  const models = await targetModels(plan, environment);
  const odds = json || isOddsAsked(values) ? await findOdds(plan, environment, values) : undefined;
  if (json) io.out.write(explainedJson(plan, { diagnostics, catalogue }, { request, client, saved, models, odds }));
  else
    io.out.write(
      [
        formatDiagnostics(explained.files, io.out),
        saved === undefined ? '' : savedVersionText(saved, recorded, other),
        planText(plan, { catalogue, client, passThrough, reading, promptCache, hasStore, virtualModels, models }),
        ...(odds === undefined ? [] : ['\n', oddsText(plan, odds.found, odds.asked)]),
        ...(request === undefined ? [] : ['\n', replayText(request, plan)]),
      ].join(''),
    );
  return 0;
};
