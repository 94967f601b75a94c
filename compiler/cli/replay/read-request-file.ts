import { mirrorLabel } from '../../../plugins/sdk/exchange/identified-metadata.ts';
import { formatOf } from '../../../schema/config/file-names.ts';
import { errorTable } from '../../../schema/errors/errors.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { jsonProblem } from '../../../schema/json/json-problem.ts';
import type { FactPath } from '../../../schema/plan/condition.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { recordedCopies } from '../../../schema/trail/recorded-copies.ts';
import type { RequestScript } from '../../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { KnownFacts } from './as-recorded.ts';
import { clientLeft, isTrail, passedDeadline, recordedSteps, withoutUsage } from './from-log-line.ts';
import { loggedProblem } from './logged-problem.ts';
import { recordedLacks } from './recorded-lacks.ts';
import { refusedLeaves } from './refused-leaves.ts';
import { RequestReader } from './request-reader.ts';

/** A request to try, with the facts about it that the file contains. */
export interface RequestFile {
  readonly script: RequestScript;
  readonly known: KnownFacts;
  /** `name@hash` of the plan that a log line was recorded on. */
  readonly recordedOn?: string;
  /** The problem that a log line states. */
  readonly problem?: JsonObject;
}

const unfitStatus: number = errorTable['invalid-request'].status;

const limitStatuses: ReadonlySet<number> = new Set([
  errorTable['rate-limited'].status,
  errorTable['usage-exhausted'].status,
  errorTable['limits-unavailable'].status,
  errorTable['target-overloaded'].status,
]);

type Refusals = Pick<RequestScript, 'inexpressibleAt' | 'limitedAt'>;

const members = ['method', 'path', 'headers', 'metadata', 'body', 'stream', 'plan_model', 'seed', 'upstream'];

/** Parses a file whose name states that it is not plain JSON. */
const parseFile = (text: string, file: string): Json => {
  const { document, reporter } = parseConfig(text, { file, isFile: true });
  const [first] = reporter.diagnostics();
  if (first !== undefined)
    throw new UsageError(`${file}:${first.span.line}:${first.span.column}: ${first.message}`, first.hint ?? '');
  return document?.value ?? null;
};

const giveOne = 'Pass one request, or one line of a request log.';

/** A log may be empty because nothing was configured to be printed. */
const whyEmpty = 'A gateway prints a line for each request if it runs with GW_LOG=requests.';

const isJsonLine = (line: string): boolean => {
  try {
    fromJson(line);
    return true;
  } catch {
    return false;
  }
};

/** Returns the error for a text that is not JSON. A whole log consists of many lines of JSON. */
const notJson = (text: string, file: string, error: unknown): UsageError => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return new UsageError(`${file} is empty.`, `${giveOne} ${whyEmpty}`);
  if (lines.length > 1 && lines.slice(0, 2).every(isJsonLine))
    return new UsageError(`${file} has ${lines.length} lines of JSON.`, 'Pass one of them.');
  return new UsageError(`${file} is not JSON: ${jsonProblem(text, error)}`, giveOne);
};

const parse = (text: string, file: string): JsonObject => {
  if (formatOf(file) === 'yaml' || file.endsWith('.jsonc')) {
    const value = parseFile(text, file);
    if (isJsonObject(value)) return value;
    throw new UsageError(`${file} contains no object.`, giveOne);
  }
  try {
    const value: unknown = fromJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw notJson(text, file, error);
  }
  throw new UsageError(`${file} contains no object.`, giveOne);
};

const readFacts = ({ metadata, body, path, route }: JsonObject): KnownFacts => {
  // A line without it belongs to a request that named no virtual model.
  const known = new Set<FactPath[0]>(['plan']);
  if (metadata !== undefined) known.add('metadata');
  if (body !== undefined) known.add('params');
  if (path !== undefined || readRoute(route).path !== undefined) known.add('url');
  return known;
};

/** A log line has a route such as `POST /v1/chat/completions`. */
const readRoute = (route: Json | undefined): { readonly method?: string; readonly path?: string } => {
  const [, method, path] = typeof route === 'string' ? (/^([A-Z]+) (\/\S*)$/.exec(route) ?? []) : [];
  return method === undefined || path === undefined ? {} : { method, path };
};

/** A line of the gateway's output has `planModel`, a record of its log and a request file `plan_model`. */
const readPlanModel = ({ planModel, plan_model }: JsonObject, read: RequestReader): string | undefined =>
  read.text(plan_model ?? planModel, 'plan_model');

/** Whether a line states that its body was malformed. If a body is added to the line, that body is judged anew. */
const isMalformed = ({ cause, body }: JsonObject): boolean => cause === 'malformed-body' && body === undefined;

/**
 * Returns the leaves that refused the request: those whose dialects could not express it, if nothing more is known about its
 * body, and those of which a limit was reached.
 */
const readRefusals = (trail: readonly TrailEvent[], line: JsonObject, { root }: RoutingPlan): Refusals => {
  if (typeof line.status !== 'number' || isMalformed(line)) return {};
  const refused = refusedLeaves(root, { trail, status: line.status });
  return {
    inexpressibleAt: refused.flatMap(({ path, attempt, status }) =>
      attempt === 1 && status === unfitStatus ? [path] : [],
    ),
    limitedAt: refused.filter(({ status }) => limitStatuses.has(status)),
  };
};

/** Reads the members of a line beside those about its upstreams. */
const readRecording = (
  recorded: readonly TrailEvent[],
  line: JsonObject,
  plan: RoutingPlan,
): Partial<RequestScript> => {
  const clientLeaves = clientLeft(recorded);
  const deadlinePasses = passedDeadline(recorded);
  // A line of the gateway's output has `deadlineMs`, a record of its log `deadline_ms`.
  const hadDeadline = [plan.deadlineMs, line.deadlineMs, line.deadline_ms].some((ms) => ms !== undefined);
  return {
    recorded,
    once: line.once === true,
    empty: line.empty === true,
    ...readRefusals(recorded, line, plan),
    missingAt: recordedLacks(plan.root, recorded),
    malformed: isMalformed(line),
    ...(clientLeaves === undefined ? {} : { clientLeaves }),
    hadDeadline,
    ...(deadlinePasses === undefined ? {} : { deadlinePasses }),
  };
};

/** Throws for a copy, which was sent to the target of a mirror and did not pass through the plan. */
const refuseCopy = ({ mirrorOf, metadata }: JsonObject, file: string): void => {
  if (mirrorOf === undefined && !(isJsonObject(metadata) && metadata[mirrorLabel] !== undefined)) return;
  throw new UsageError(
    `${file} is a copy that a mirror sent, which did not go through the plan.`,
    'Pass the request that it is a copy of: its trail shows what it was and where its copies went.',
  );
};

/** Throws for a request that was refused before it had a plan. */
const refuseUnplanned = ({ plan, trail, problem }: JsonObject, file: string): void => {
  if (plan !== null || !Array.isArray(trail) || trail.length > 0) return;
  const why = isJsonObject(problem) ? ` ${loggedProblem(problem)}` : '';
  throw new UsageError(`The request of ${file} was rejected before it had a config.`, `No config was involved.${why}`);
};

const everything: KnownFacts = new Set(['metadata', 'params', 'plan', 'url']);

/**
 * Reads the file of `gw explain --request`: a request with the behaviour of its upstreams, or a line of the gateway's request
 * log, whose trail contains that behaviour. Throws a `UsageError` that names what cannot be read.
 */
export const readRequestFile = (
  text: string,
  { file, plan }: { readonly file: string; readonly plan: RoutingPlan },
): RequestFile => {
  const value = parse(text, file);
  const read = new RequestReader(file, plan);
  const { trail, route, plan: planLabel } = value;
  const { method = 'POST', path = '/v1/chat/completions' } = readRoute(route);
  const used = isTrail(trail) ? withoutUsage(trail) : undefined;
  const recorded = used?.filter(({ kind }) => kind !== 'mirrored');
  const copies = recordedCopies(used ?? []);
  refuseCopy(value, file);
  refuseUnplanned(value, file);
  if (trail !== undefined && recorded === undefined) read.refuse('trail', 'is not the trail of a request log');
  if (recorded === undefined) read.known(value, members, '');
  const steps = read.steps(value.upstream);
  const planModel = readPlanModel(value, read);
  const script: RequestScript = {
    method: read.text(value.method, 'method') ?? method,
    path: read.text(value.path, 'path') ?? path,
    headers: read.headers(value.headers, 'headers'),
    metadata: read.object(value.metadata, 'metadata') ?? {},
    ...(value.body === undefined ? {} : { body: value.body }),
    ...(recorded === undefined || typeof value.requested_model !== 'string' ? {} : { model: value.requested_model }),
    ...(planModel === undefined ? {} : { planModel }),
    stream: value.stream === true,
    seed: read.whole(value.seed, 'seed') ?? 1,
    upstream: recorded === undefined ? steps : [...recordedSteps(recorded, plan), ...steps],
    ...(recorded === undefined ? {} : readRecording(recorded, value, plan)),
    ...(copies.length === 0 ? {} : { copies }),
  };
  const recordedOn = recorded === undefined || typeof planLabel !== 'string' ? undefined : planLabel;
  const problem = recorded === undefined || !isJsonObject(value.problem) ? undefined : value.problem;
  return {
    script,
    known: recorded === undefined ? everything : readFacts(value),
    ...(recordedOn === undefined ? {} : { recordedOn }),
    ...(problem === undefined ? {} : { problem }),
  };
};
