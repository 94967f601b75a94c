import type { FactPath } from '../../../schema/condition.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import type { RoutingPlan } from '../../../schema/plan.ts';
import type { RequestScript } from '../../../schema/request-script.ts';
import { UsageError } from '../usage-error.ts';
import type { KnownFacts } from './as-recorded.ts';
import { askedForStream, clientLeft, isTrail, recordedSteps } from './from-log-line.ts';
import { RequestReader } from './request-reader.ts';

/** A request to try, and which of its facts the file tells. */
export interface RequestFile {
  readonly script: RequestScript;
  readonly known: KnownFacts;
  /** `name@hash` of the plan that a log line was recorded on. */
  readonly recordedOn?: string;
}

const members = ['method', 'path', 'headers', 'metadata', 'body', 'stream', 'seed', 'upstream'];

const parse = (text: string, file: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} is not JSON: ${reason}.`, 'Give one request, or one line of a request log.');
  }
  throw new UsageError(`${file} holds no object.`, 'Give one request, or one line of a request log.');
};

const factsOf = ({ metadata, body, path, route }: JsonObject): KnownFacts => {
  const known = new Set<FactPath[0]>();
  if (metadata !== undefined) known.add('metadata');
  if (body !== undefined) known.add('params');
  if (path !== undefined || routeOf(route).path !== undefined) known.add('url');
  return known;
};

/** A log line says `POST /v1/chat/completions`. */
const routeOf = (route: Json | undefined): { readonly method?: string; readonly path?: string } => {
  const [, method, path] = typeof route === 'string' ? (/^([A-Z]+) (\/\S*)$/.exec(route) ?? []) : [];
  return method === undefined || path === undefined ? {} : { method, path };
};

/** Of a body that a line says could not be read, no more is known. */
const bodyOf = ({ body, trail, cause }: JsonObject): { readonly body?: Json } => {
  if (body !== undefined) return { body };
  return trail !== undefined && cause === 'malformed-body' ? { body: '{' } : {};
};

const everything: KnownFacts = new Set(['metadata', 'params', 'url']);

/**
 * Reads the file of `gw explain --request`: a request with the parts its upstreams play, or a line of the gateway's
 * request log, whose trail tells them. Throws a `UsageError` that names what cannot be read.
 */
export const readRequestFile = (
  text: string,
  { file, plan }: { readonly file: string; readonly plan: RoutingPlan },
): RequestFile => {
  const value = parse(text, file);
  const read = new RequestReader(file, plan);
  const { trail, route, plan: planLabel } = value;
  const { method = 'POST', path = '/v1/chat/completions' } = routeOf(route);
  const recorded = isTrail(trail) ? trail : undefined;
  if (trail !== undefined && recorded === undefined) read.refuse('trail', 'is not the trail of a request log');
  if (recorded === undefined) read.known(value, members, '');
  const steps = read.steps(value.upstream);
  const script: RequestScript = {
    method: read.text(value.method, 'method') ?? method,
    path: read.text(value.path, 'path') ?? path,
    headers: read.headers(value.headers, 'headers'),
    metadata: read.object(value.metadata, 'metadata') ?? {},
    ...bodyOf(value),
    stream:
      typeof value.stream === 'boolean'
        ? value.stream
        : recorded !== undefined && askedForStream(recorded, value.status, plan),
    seed: read.whole(value.seed, 'seed') ?? 1,
    ...(recorded === undefined ? {} : { once: value.once === true }),
    upstream: recorded === undefined ? steps : [...recordedSteps(recorded, plan), ...steps],
    ...(recorded === undefined ? {} : { recorded, clientLeaves: clientLeft(recorded) }),
  };
  const recordedOn = recorded === undefined || typeof planLabel !== 'string' ? undefined : planLabel;
  return {
    script,
    known: recorded === undefined ? everything : factsOf(value),
    ...(recordedOn === undefined ? {} : { recordedOn }),
  };
};
