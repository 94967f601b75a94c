import type { GatewayResponse, StreamEnd } from '../../plugins/sdk/http.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin.ts';
import { cacheHitRate } from '../../schema/cache-hit-rate.ts';
import type { ErrorCode } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { TrailEvent } from '../../schema/trail.ts';
import { withoutServiceKeys } from '../../schema/without-service-keys.ts';
import type { Clock } from '../ports/clock.ts';
import { HttpExchange } from './http-exchange.ts';
import { type RequestProblem, requestProblem } from './request-problem.ts';

/** One line of the request log. It contains no bodies, and no headers but labels that are for logs, so that it contains no secrets. */
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

export interface RequestLogOptions {
  readonly clock: Clock;
  readonly write: (line: string) => void;
}

const isEmpty = ({ route, request: { method, body } }: HttpExchange): boolean =>
  route.operation === 'opaque' &&
  method !== 'GET' &&
  method !== 'HEAD' &&
  (body.kind === 'none' || (body.kind === 'bytes' && body.bytes.length === 0));

const hitRateOf = ({ trail }: HttpExchange): number | undefined =>
  cacheHitRate(trail.flatMap((event) => (event.kind === 'settled' ? [event.usage.input] : [])));

const problemOf = (...request: Parameters<typeof requestProblem>): Pick<RequestLine, 'problem'> => {
  const problem = requestProblem(...request);
  return problem === undefined ? {} : { problem };
};

const lineOf = (
  exchange: HttpExchange,
  response: GatewayResponse,
  { end, clock }: { readonly end: StreamEnd; readonly clock: Clock },
): RequestLine => ({
  time: new Date(clock.wall()).toISOString(),
  trace: exchange.traceId,
  seed: exchange.seed,
  plan: exchange.plan?.label ?? null,
  route: `${exchange.request.method} ${exchange.url.split('?', 1)[0] ?? ''}`,
  status: response.status,
  end,
  ...(response.cause === undefined ? {} : { cause: response.cause }),
  ...problemOf(exchange, response, end),
  ...(exchange.request.body.kind === 'stream' ? { once: true } : {}),
  ...(exchange.readBody?.stream === true ? { stream: true } : {}),
  ...(isEmpty(exchange) ? { empty: true } : {}),
  ms: Math.round((clock.monotonic() - exchange.startedAt) * 100) / 100,
  ...(exchange.principal.keyId === undefined ? {} : { key: exchange.principal.keyId }),
  ...(exchange.principal.organisation === undefined ? {} : { metadata: exchange.facts.metadata }),
  cacheHitRate: hitRateOf(exchange),
  trail: exchange.trail,
});

/** Writes a JSON line for each request when its answer has ended. */
export const requestLog = ({ clock, write }: RequestLogOptions): Plugin =>
  definePlugin({
    name: 'gatewright/request-log',
    apply: (hooks) => {
      hooks.completed.tap('gatewright/request-log', (response, exchange, end) => {
        if (exchange instanceof HttpExchange)
          write(`${withoutServiceKeys(JSON.stringify(lineOf(exchange, response, { end, clock })))}\n`);
      });
    },
  });
