import { cacheHitRate } from '../../schema/cache-hit-rate.ts';
import type { ErrorCode } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { TrailEvent } from '../../schema/trail.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayResponse, StreamEnd } from './http.ts';
import { type RequestProblem, requestProblem } from './request-problem.ts';

/** What a log says of one request. It contains no bodies, and no headers but labels that are for logs, so that it contains no secrets. */
export interface RequestLine {
  /** When the answer ended, in ISO 8601. */
  readonly time: string;
  readonly trace: string;
  /** With `plan` and `trail`, what `gw explain --request` needs to replay the request. */
  readonly seed: number;
  /** `name@hash`; null where none was chosen. */
  readonly plan: string | null;
  /** Method and path, without the query. */
  readonly route: string;
  readonly status: number;
  readonly end: StreamEnd;
  /** The code if the answer is an error of the gateway itself. */
  readonly cause?: ErrorCode;
  /** What is wrong; absent if nothing is. */
  readonly problem?: RequestProblem;
  /** The body streamed through, so that it could be sent only once. */
  readonly once?: true;
  /** The body was read, and asks for a stream. */
  readonly stream?: true;
  /** Passed through without a body, although its method could have had one. */
  readonly empty?: true;
  /** From the request's head to the end of its answer. */
  readonly ms: number;
  /** The service key's id. */
  readonly key?: string;
  /** The labels of a request whose caller a control plane identified. */
  readonly metadata?: JsonObject;
  /** The share of the input of all attempts that came from prompt caches, where the log has usage and providers tell. */
  readonly cacheHitRate?: number | undefined;
  readonly trail: readonly TrailEvent[];
}

/** How an exchange has ended. */
export interface RequestEnding {
  readonly end: StreamEnd;
  /** Milliseconds since the epoch. */
  readonly wall: number;
  /** Milliseconds on the gateway's monotonic clock. */
  readonly monotonic: number;
}

const isEmpty = ({ route, request: { method, body } }: Exchange): boolean =>
  route.operation === 'opaque' &&
  method !== 'GET' &&
  method !== 'HEAD' &&
  (body.kind === 'none' || (body.kind === 'bytes' && body.bytes.length === 0));

const hitRateOf = (trail: readonly TrailEvent[]): number | undefined =>
  cacheHitRate(trail.flatMap((event) => (event.kind === 'settled' ? [event.usage.input] : [])));

/** A request whose answer has ended. It refers to the trail and the labels of the exchange, and copies nothing. */
export const requestLine = (
  exchange: Exchange,
  response: Pick<GatewayResponse, 'status' | 'cause' | 'origin' | 'leaf'>,
  { end, wall, monotonic }: RequestEnding,
): RequestLine => {
  const { request, url = request.path, startedAt = monotonic, principal, trail } = exchange;
  const { status, cause } = response;
  const problem = requestProblem(exchange, response, end);
  return {
    time: new Date(wall).toISOString(),
    trace: exchange.traceId,
    seed: exchange.seed,
    plan: exchange.plan?.label ?? null,
    route: `${request.method} ${url.split('?', 1)[0] ?? ''}`,
    status,
    end,
    ...(cause === undefined ? {} : { cause }),
    ...(problem === undefined ? {} : { problem }),
    ...(request.body.kind === 'stream' ? { once: true } : {}),
    ...(exchange.readBody?.stream === true ? { stream: true } : {}),
    ...(isEmpty(exchange) ? { empty: true } : {}),
    ms: Math.round((monotonic - startedAt) * 100) / 100,
    ...(principal.keyId === undefined ? {} : { key: principal.keyId }),
    ...(principal.organisation === undefined ? {} : { metadata: exchange.facts.metadata }),
    cacheHitRate: hitRateOf(trail),
    trail,
  };
};
