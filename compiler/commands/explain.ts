import path from 'node:path';
import type { Dialect } from '../../plugins/sdk/dialect.ts';
import { loadPlan } from '../../schema/load-plan.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import { PlanLoadError } from '../../schema/plan-load-error.ts';
import { commandHelp } from './command-help.ts';
import type { CommandSpec } from './command-spec.ts';
import type { CompiledFile } from './compiled-file.ts';
import { compileFiles } from './compiled-files.ts';
import type { ExitCode } from './exit-code.ts';
import { clientDialect } from './explain/client-dialect.ts';
import { dialectJson } from './explain/dialect-json.ts';
import { planText } from './explain/plan-text.ts';
import { configOption, formatOption } from './format-option.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { gatewayFileOf, readEnvironment } from './read-environment.ts';
import { readText } from './read-text.ts';
import { type ReplayedRequest, type RequestText, replayRequest } from './replay/replay-request.ts';
import { replayText } from './replay/replay-text.ts';
import { countFindings, countText, findingsJson, findingsText } from './report.ts';
import type { CommandServices, Environment } from './services.ts';
import { UsageError } from './usage-error.ts';

const spec = {
  name: 'gw explain',
  summary: 'Shows the plan of a config: its tree, targets, bounds, and why a leaf is not byte-exact.',
  positionals: 'FILE',
  takes: { least: 1, most: 1 },
  options: {
    request: { type: 'string', value: 'FILE', describe: 'Run this request through the plan and print its trail.' },
    log: { type: 'string', value: 'ID', describe: "The same with a record of a gateway's log: gw logs lists them." },
    dialect: {
      type: 'string',
      value: 'ID',
      describe: 'How each leaf serves the clients of this dialect, and what they may lose in translation.',
    },
    config: configOption,
    format: formatOption,
  },
  notes: [
    'FILE is a config, or a compiled NAME.plan.json.',
    '',
    'Where client and provider speak the same dialect, bytes are passed on as received. Otherwise requests and answers are',
    'translated, and --dialect lists what the other format cannot carry: chat, messages, or another dialect of clients.',
    '',
    'A request file is JSON, every member optional:',
    '  { "method": "POST", "path": "/v1/chat/completions", "headers": {}, "metadata": {}, "body": {}, "seed": 1,',
    '    "upstream": [{ "target": "fast", "status": 529, "headers": { "retry-after": "2" } }, { "error": "hang" }] }',
    'Each call uses the first unused step of "upstream" that names its target, or no target; a call without a step is',
    'answered with 200. "error" is one of refused, busy, hang, cut and in-band; with "stream": true it happens after the',
    'first content of a stream. No request is sent, no secret is needed, and no time passes.',
    '',
    'A line of the request log (GW_LOG=requests gw serve) can be used as a request file: the seed, the faults, the states',
    'of the circuits and the verdicts of the checks are then taken from its trail.',
    '',
    '--log asks the gateway of GW_URL with the key of GW_API_KEY, or those of the profile "default".',
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
    }
  | { readonly plan?: never; readonly files: readonly CompiledFile[] };

const loadFile = (text: string, file: string): RoutingPlan => {
  try {
    return loadPlan(text);
  } catch (error) {
    if (error instanceof PlanLoadError) throw new UsageError(`${file} cannot be loaded.`, error.message);
    throw error;
  }
};

const explainedPlan = async (
  services: CommandServices,
  file: string,
  config: string | undefined,
): Promise<Explained> => {
  if (path.basename(file).endsWith('.plan.json')) {
    const text = await readText(services.io, file);
    const plan = loadFile(text, file);
    const environment = await readEnvironment(services, await gatewayFileOf(services, config));
    const loaded: CompiledFile = { file, text, plan, diagnostics: [] };
    return { plan, environment, file: loaded, files: [loaded] };
  }
  if ((await services.io.kindOf(file)) === 'folder')
    throw new UsageError(`"${file}" is a folder.`, 'Name one config in it, or one compiled plan.');
  const { environment, files } = await compileFiles(services, { paths: [file], config });
  const compiled = files.at(-1);
  return compiled?.plan === undefined ? { files } : { plan: compiled.plan, environment, file: compiled, files };
};

/** What there is to say of a plan beside its findings. */
interface Told {
  readonly request: ReplayedRequest | undefined;
  readonly client: Dialect | undefined;
}

const explainedJson = (
  plan: RoutingPlan,
  { diagnostics, catalogue }: Pick<CompiledFile, 'diagnostics'> & Pick<Environment, 'catalogue'>,
  { request, client }: Told,
): string => {
  const dialect = client === undefined ? undefined : dialectJson(plan, client, catalogue);
  const told = { plan, diagnostics, ...(dialect && { dialect }), ...(request && { request }) };
  return `${JSON.stringify(told, undefined, 2)}\n`;
};

/** The request to try, of a file or of a log; undefined if none is named. */
const requestText = async (
  services: CommandServices,
  { request, log }: { readonly request?: string; readonly log?: string },
): Promise<RequestText | undefined> => {
  if (request !== undefined && log !== undefined)
    throw new UsageError('--request and --log are both given.', 'Name one request.');
  if (log !== undefined) return { text: await services.log(log), file: `the record ${log}` };
  return request === undefined ? undefined : { text: await readText(services.io, request), file: request };
};

/** `gw explain`: prints a plan; with `--request` how one request goes through it, with `--dialect` how clients of a dialect are served. Throws a `UsageError`. */
export const explain = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { help, values, positionals } = parseCommandLine(spec, argv);
  const { io } = services;
  const [file] = positionals;
  if (help || file === undefined) {
    io.out.write(commandHelp(spec));
    return 0;
  }
  const json = values.format === 'json';
  const explained = await explainedPlan(services, file, values.config);
  if (explained.plan === undefined) {
    const { files } = explained;
    io.out.write(
      json ? findingsJson(files) : `${findingsText(files, io.out)}${countText(countFindings(files), files.length)}\n`,
    );
    return 1;
  }
  const { plan, environment, file: compiled } = explained;
  const { catalogue, passThrough, reading, promptCache, hasStore } = environment;
  const client = values.dialect === undefined ? undefined : clientDialect(catalogue, values.dialect);
  const text = await requestText(services, values);
  const request = text && (await replayRequest(services, { plan, environment, request: text }));
  const { diagnostics } = compiled;
  if (json) io.out.write(explainedJson(plan, { diagnostics, catalogue }, { request, client }));
  else
    io.out.write(
      [
        findingsText(explained.files, io.out),
        planText(plan, { catalogue, client, passThrough, reading, promptCache, hasStore }),
        ...(request === undefined ? [] : ['\n', replayText(request, plan)]),
      ].join(''),
    );
  return 0;
};
