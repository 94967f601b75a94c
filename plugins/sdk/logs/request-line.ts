import type { ErrorCode } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { cacheHitRate } from '../../../schema/usage/cache-hit-rate.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayResponse, StreamEnd } from '../http/http.ts';
import { type RequestProblem, requestProblem } from './request-problem.ts';

/**
 * The facts of one request. It contains no bodies, and no headers except labels that are meant for logs, so it contains no
 * secrets.
 */
export interface RequestFacts {
  /** The id of the request: `x-gw-trace-id` of its answer. */
  readonly trace: string;
  /** Together with `plan` and `trail`, what `gw explain --request` needs to replay the request. */
  readonly seed: number;
  /**
   * `name@hash`, with the name of the config. The name is `header` if the request sent a config without a name, and `request` if
   * its headers only named a provider. Null if no plan was chosen.
   */
  readonly plan: string | null;
  /** The name that the virtual model of the request stands for, as conditions see it. Absent if the request named none. */
  readonly planModel?: string | undefined;
  /** Method and path, without the query. */
  readonly route: string;
  /** The status of the answer that the client received. */
  readonly status: number;
  /** How the answer ended: `complete`, `failed` at the upstream, or `left` because its client disconnected. */
  readonly end: StreamEnd;
  /** The error code, if the answer is an error of the gateway itself. */
  readonly cause?: ErrorCode | undefined;
  /** Whether the body was streamed through, so that it could be sent only once. */
  readonly once?: true | undefined;
  /** Whether the body was parsed and asks for a stream. */
  readonly stream?: true | undefined;
  /** Whether the request was passed through without a body, although its method could have had one. */
  readonly empty?: true | undefined;
  /** The deadline that the request set, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /** The milliseconds from the request's head to the end of its answer. */
  readonly ms: number;
  /** How many of these milliseconds the request waited for places at its targets. Absent if it did not wait. */
  readonly queuedMs?: number | undefined;
  /** The id of the service key. */
  readonly key?: string | undefined;
  /** The labels of a request, if a control plane identified its caller. */
  readonly metadata?: JsonObject | undefined;
  /** The decisions and attempts of the request, in order. */
  readonly trail: readonly TrailEvent[];
}

/** The log line of one request. */
export interface RequestLine extends RequestFacts {
  /** When the answer ended, in ISO 8601 format. */
  readonly time: string;
  /** The trace of the request that it is a copy of, and the node of the mirror. Absent for requests of clients. */
  readonly mirrorOf?: { readonly trace: string; readonly path: JsonPointer };
  /** The problem of the request. Absent if there is none. */
  readonly problem?: RequestProblem;
  /**
   * The share of the input of all attempts that came from prompt caches. Present if the log has usage and providers report it.
   */
  readonly cacheHitRate?: number | undefined;
}

/** How and when an exchange ended. */
export interface RequestEnding {
  readonly end: StreamEnd;
  /** Milliseconds since the epoch. */
  readonly wall: number;
  /** Milliseconds on the gateway's monotonic clock. */
  readonly monotonic: number;
}

/** The routes of each method, by path. They are cleared if there are too many. */
const routes = new Map<string, Map<string, string>>();
const maxRoutes = 256;
/** A longer path is unlikely to be requested often. */
const longestKnown = 128;

const toRoutes = (method: string): Map<string, string> => {
  const known = routes.get(method);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  routes.set(method, made);
  return made;
};

/** Returns method and path, without the query. Most requests have one of a few routes, whose text is created once. */
const toRoute = (method: string, url: string): string => {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (path.length > longestKnown) return `${method} ${path}`;
  const known = toRoutes(method);
  const route = known.get(path);
  if (route !== undefined) return route;
  if (known.size === maxRoutes) known.clear();
  const made = `${method} ${path}`;
  known.set(path, made);
  return made;
};

const isEmpty = ({ route, request: { method, body } }: Exchange): boolean =>
  route.operation === 'opaque' &&
  method !== 'GET' &&
  method !== 'HEAD' &&
  (body.kind === 'none' || (body.kind === 'bytes' && body.bytes.length === 0));

const findHitRate = (trail: readonly TrailEvent[]): number | undefined =>
  cacheHitRate(trail.flatMap((event) => (event.kind === 'settled' ? [event.usage.input] : [])));

/**
 * Returns the facts of a request whose answer has ended. They refer to the trail and the labels of the exchange, without copying
 * them.
 */
export const requestFacts = (
  exchange: Exchange,
  { status, cause }: Pick<GatewayResponse, 'status' | 'cause'>,
  { end, monotonic }: Pick<RequestEnding, 'end' | 'monotonic'>,
): RequestFacts => {
  const { request, url = request.path, startedAt = monotonic, principal, trail } = exchange;
  return {
    trace: exchange.traceId,
    seed: exchange.seed,
    plan: exchange.plan?.label ?? null,
    planModel: exchange.virtualModel?.standsFor,
    route: toRoute(request.method, url),
    status,
    end,
    cause,
    once: request.body.kind === 'stream' ? true : undefined,
    stream: exchange.readBody?.stream === true ? true : undefined,
    empty: isEmpty(exchange) ? true : undefined,
    deadlineMs: exchange.overrides.deadlineMs,
    ms: Math.round((monotonic - startedAt) * 100) / 100,
    queuedMs: exchange.labels?.queuedMs,
    key: principal.keyId,
    metadata: principal.organisation === undefined ? undefined : exchange.facts.metadata,
    trail,
  };
};

/** Returns the facts of a request, and the fields that readers of logs look for first. */
export const requestLine = (
  exchange: Exchange,
  response: Pick<GatewayResponse, 'status' | 'cause' | 'origin' | 'leaf'>,
  ending: RequestEnding,
): RequestLine => {
  const problem = requestProblem(exchange, response, ending.end);
  const { trail, ...facts } = requestFacts(exchange, response, ending);
  const { mirrorOf } = exchange;
  return {
    time: new Date(ending.wall).toISOString(),
    ...facts,
    ...(mirrorOf === undefined ? {} : { mirrorOf: { trace: mirrorOf.traceId, path: mirrorOf.path } }),
    ...(problem === undefined ? {} : { problem }),
    cacheHitRate: findHitRate(trail),
    trail,
  };
};
