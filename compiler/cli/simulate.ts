import path from 'node:path';
import type { CommandSpec, CommandTree } from '../../schema/command-help/command-spec.ts';
import type { SimulatedRequest } from '../../schema/forecast/simulation.ts';
import type { Json } from '../../schema/json/json.ts';
import { parseJson } from '../../schema/json/parse-json.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { ExitCode } from './command-line/exit-code.ts';
import { configOption, formatOption, storeOptions } from './command-line/format-option.ts';
import { readCommandLine } from './command-line/parse-command-line.ts';
import { readCount } from './command-line/read-count.ts';
import type { CommandServices, Environment } from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { findSourcePlan } from './diff/find-source-plan.ts';
import { readText } from './files/read-text.ts';
import { writeFiles } from './files/write-files.ts';
import { Draws } from './replay/draws.ts';
import { listLate, readFailures, replies } from './replay/failures.ts';
import { loggedRequests } from './replay/log-traffic.ts';
import { readLogLines } from './replay/read-lines.ts';
import { type CallPrice, Results } from './replay/result.ts';
import { resultSvg } from './replay/result-svg.ts';
import { resultText } from './replay/result-text.ts';
import { drawnRequests, readTraffic, type Traffic } from './replay/traffic.ts';

const spec = {
  name: 'gw simulate',
  summary:
    'Runs traffic through a config while targets fail, with a simulated clock, and shows what clients get. Nothing is sent.',
  positionals: 'CONFIG',
  takes: { min: 1, max: 1 },
  options: {
    traffic: {
      type: 'string',
      value: 'FILE',
      describe: 'A traffic profile or a request log; by default ten requests a second for ten minutes.',
    },
    failures: { type: 'string', value: 'FILE', describe: 'What fails, and when; nothing by default.' },
    seed: { type: 'string', value: 'N', describe: 'The seed of all random choices; 1 by default.' },
    svg: { type: 'string', value: 'FILE', describe: 'Also write a picture of the results over time.' },
    ...storeOptions,
    config: configOption,
    format: formatOption,
  },
  notes: [
    'CONFIG is named as for gw diff: a file, REVISION:PATH of git, or NAME or NAME@VERSION of a store.',
    '',
    'A traffic profile is JSON. Every member is optional:',
    '  { "duration_s": 600, "rate": 10, "rates": [{ "from_s": 300, "rate": 50 }],',
    '    "requests": [{ "share": 3, "path": "/v1/chat/completions", "metadata": { "tier": "gold" }, "body": {}, "stream": false,',
    '                   "input_tokens": 500, "output_tokens": 200 }],',
    '    "latency": [{ "target": "fast", "median_ms": 400, "p95_ms": 1200 }] }',
    'Requests arrive at random (a Poisson process). The times of answers have a log-normal distribution, by default with a median of',
    '500 ms and a 95th percentile of 1500 ms.',
    '',
    'Failures are a list. Each applies to one target, to the targets of one provider, or to all targets, between two times:',
    '  [{ "provider": "openai", "from_s": 120, "to_s": 300, "share": 0.5, "status": 503, "retry_after_s": 2 },',
    '   { "target": "fast", "error": "hang" }, { "target": "slow", "slower": 5 }]',
    '"error" is refused, hang or cut; "share" is the share of calls that fail, and "slower" the factor by which answers take longer.',
    '',
    'The same files and seed give the same result. Circuits, retries, time-outs and caches work as in the gateway; limits do not apply.',
    'Exit code: 0 simulated, 1 the config has errors, 2 the command cannot be run.',
  ].join('\n'),
  examples: ['gw simulate configs/prod.json --failures failures.json --svg outage.svg'],
} as const satisfies CommandSpec;

export const simulateTree: CommandTree = { spec };

const readJson = async (services: CommandServices, file: string): Promise<Json> => {
  const value = parseJson(await readText(services.io, file));
  if (value === undefined) throw new UsageError(`${file} is not JSON.`, 'See gw simulate --help.');
  return value;
};

const targetIds = ({ targets }: RoutingPlan): readonly string[] => targets.map(({ id }) => id);

interface Requested {
  readonly traffic: Traffic;
  readonly requests: Iterable<SimulatedRequest>;
}

/** Reads the traffic of a file: a profile is one object, a log has many. */
const readRequests = async (
  services: CommandServices,
  file: string | undefined,
  { plan, draws, seed }: { readonly plan: RoutingPlan; readonly draws: Draws; readonly seed: number },
): Promise<Requested> => {
  const drawn = (value: Json): Requested => {
    const traffic = readTraffic(value, file ?? 'the traffic', targetIds(plan));
    return { traffic, requests: drawnRequests(traffic, draws, seed) };
  };
  if (file === undefined) return drawn({});
  if (path.extname(file) === '.json') return drawn(await readJson(services, file));
  if ((await services.io.readKind(file)) !== 'file') await readText(services.io, file);
  const requests = await loggedRequests(readLogLines(services.io, file), file, seed);
  const durationMs = Math.max(1000, requests.at(-1)?.atMs ?? 0);
  return { traffic: { ...readTraffic({}, file, []), durationMs }, requests };
};

/** Returns the prices of the calls of each kind of request at each target, as far as they are known. */
const findPrices = async (plan: RoutingPlan, { kinds }: Traffic, { priceCall }: Environment): Promise<CallPrice> => {
  const prices = new Map<string, number>();
  for (const target of plan.targets)
    for (const [kind, { tokens }] of kinds.entries()) {
      const price = await priceCall?.(target, tokens);
      if (price !== undefined) prices.set(`${kind} ${target.id}`, price);
    }
  return (target, kind) => prices.get(`${kind} ${target}`);
};

/** `gw simulate`: prints what clients would get. Throws a `UsageError`. */
export const simulate = async (services: CommandServices, argv: readonly string[]): Promise<ExitCode> => {
  const { io } = services;
  const given = readCommandLine(spec, argv, io.out);
  if (given === undefined) return 0;
  const { values, positionals } = given;
  const { traffic: trafficFile, failures: failuresFile, seed: seedText, svg, format = 'human', ...flags } = values;
  const json = format === 'json';
  const found = await findSourcePlan(services, positionals[0] ?? '', { ...flags, json });
  if (found === undefined) return 1;
  const { plan, environment } = found;
  const seed = readCount('seed', seedText) ?? 1;
  const draws = new Draws(seed);
  const { traffic, requests } = await readRequests(services, trafficFile, { plan, draws, seed });
  const failures =
    failuresFile === undefined ? [] : readFailures(await readJson(services, failuresFile), failuresFile, plan.targets);
  for (const late of listLate(failures, traffic.durationMs)) io.err.write(`gw: In ${failuresFile}, ${late}\n`);
  const results = new Results(traffic.durationMs, await findPrices(plan, traffic, environment), targetIds(plan));
  const simulation = {
    requests,
    reply: replies(traffic, failures, draws),
    answered: (answer: Parameters<Results['add']>[0]) => results.add(answer),
  };
  await services.simulate(plan, simulation, environment);
  const result = results.result(seed);
  if (svg !== undefined)
    await writeFiles(new Map([[svg, resultSvg(result)]]), { named: svg, hint: 'Name another file with --svg.' }, io);
  io.out.write(json ? `${JSON.stringify(result, undefined, 2)}\n` : resultText(result));
  return 0;
};
