import type { ErrorCode } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { cacheHitRate } from '../../../schema/usage/cache-hit-rate.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayResponse, StreamEnd } from '../http/http.ts';
import { type RequestProblem, requestProblem } from './request-problem.ts';

/**
 * The facts of one request. It contains no bodies, and no headers but labels that are for logs, so that it contains no
 * secrets.
 */
export interface RequestFacts {
  /** The id of the request: `x-gw-trace-id` of its answer. */
  readonly trace: string;
  /** With `plan` and `trail`, what `gw explain --request` needs to replay the request. */
  readonly seed: number;
  /** `name@hash` with the name of the config: `header` if the request itself sent one without a name, and `request` if its headers only named a provider. Null where none was chosen. */
  readonly plan: string | null;
  /** The name of what the virtual model of the request stands for, as conditions read it; absent if it named none. */
  readonly planModel?: string | undefined;
  /** Method and path, without the query. */
  readonly route: string;
  /** The status of the answer that its client got. */
  readonly status: number;
  /** How the answer ended: `complete`, `left` by its client, or `cut`. */
  readonly end: StreamEnd;
  /** The code if the answer is an error of the gateway itself. */
  readonly cause?: ErrorCode | undefined;
  /** The body streamed through, so that it could be sent only once. */
  readonly once?: true | undefined;
  /** The body was read, and asks for a stream. */
  readonly stream?: true | undefined;
  /** Passed through without a body, although its method could have had one. */
  readonly empty?: true | undefined;
  /** The deadline that the request brought, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /** From the request's head to the end of its answer. */
  readonly ms: number;
  /** Milliseconds of these in which it waited for places at its targets; absent if it did not. */
  readonly queuedMs?: number | undefined;
  /** The service key's id. */
  readonly key?: string | undefined;
  /** The labels of a request whose caller a control plane identified. */
  readonly metadata?: JsonObject | undefined;
  /** The decisions and attempts of the request, in order. */
  readonly trail: readonly TrailEvent[];
}

/** The line of a log about one request. */
export interface RequestLine extends RequestFacts {
  /** When the answer ended, in ISO 8601. */
  readonly time: string;
  /** The trace of the request that it is a copy of, and the node of the mirror; absent for requests of clients. */
  readonly mirrorOf?: { readonly trace: string; readonly path: JsonPointer };
  /** The problem of the request; absent if nothing is. */
  readonly problem?: RequestProblem;
  /** The share of the input of all attempts that came from prompt caches, where the log has usage and providers report. */
  readonly cacheHitRate?: number | undefined;
}

/** How an exchange has ended. */
export interface RequestEnding {
  readonly end: StreamEnd;
  /** Milliseconds since the epoch. */
  readonly wall: number;
  /** Milliseconds on the gateway's monotonic clock. */
  readonly monotonic: number;
}

/** The routes of each method, by the path that they have; they are forgotten where there are too many. */
const routes = new Map<string, Map<string, string>>();
const maxRoutes = 256;
/** A longer path is hardly asked for often. */
const longestKnown = 128;

const toRoutes = (method: string): Map<string, string> => {
  const known = routes.get(method);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  routes.set(method, made);
  return made;
};

/** Method and path, without the query: most requests have one of a few, whose text is made once. */
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

/** A request whose answer has ended. It refers to the trail and the labels of the exchange, and copies nothing. */
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

/** The facts of a request, and what a reader of logs asks first. */
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
