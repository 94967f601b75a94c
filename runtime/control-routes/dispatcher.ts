import type { Route } from '../../plugins/sdk/exchange/exchange.ts';
import { withoutNames } from '../../plugins/sdk/http/header-lines.ts';
import type { Cancellation, GatewayResponse, RawHeaders, RequestBody, Waits } from '../../plugins/sdk/http/http.ts';
import { base } from '../../plugins/sdk/route/route-path.ts';
import type { Dispatch, InternalRequest } from '../../plugins/sdk/route/route-row.ts';
import { errorResponse } from '../engine/error-responses/error-response.ts';
import type { Gateway } from '../engine/gateway.ts';
import type { LinkedPlan } from '../engine/link.ts';
import type { Generations } from '../file-plans/generations.ts';
import { unknownRoute } from '../http/answer/unknown-route.ts';
import type { MemoryBudget } from '../http/body/memory-budget.ts';
import type { Clients } from '../http/exchange/clients.ts';
import { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { Seeds } from '../in-memory/seeds.ts';
import type { Clock } from '../ports/clock.ts';
import { isControlRoute } from '../route-matching/declared-routes.ts';

export interface DispatcherOptions {
  readonly gateway: Pick<Gateway, 'begin' | 'handle' | 'refuse'>;
  /** Excludes the shared routes of plugins. */
  readonly clients: Clients;
  readonly generations: Generations;
  readonly plan: (exchange: HttpExchange) => LinkedPlan | Promise<LinkedPlan>;
  readonly memoryBudget: MemoryBudget;
  readonly clock: Clock;
  readonly seeds: Seeds;
}

/** The control-plane request on whose behalf a request is dispatched. */
export interface Caller {
  readonly traceId: string;
  readonly cancellation: Cancellation;
  /** Measures how long it waits. Absent if nothing does. */
  readonly waits?: Waits | undefined;
}

/** Headers that describe the connection, the body or the caller of the incoming request, and not the dispatched one. */
const own = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'origin',
  'transfer-encoding',
  'x-gw-trace-id',
];

const json: RawHeaders = ['content-type', 'application/json'];

/** Returns the headers that describe the body of a dispatched request. */
const describing = ({ body, received }: InternalRequest): RawHeaders => {
  if (received === undefined) return body === undefined ? [] : json;
  const { contentType, encoding, length, body: sent } = received;
  return [
    ...(contentType === undefined ? [] : ['content-type', contentType]),
    ...(encoding === undefined ? [] : ['content-encoding', encoding]),
    ...(length === undefined || sent.kind !== 'stream' ? [] : ['content-length', String(length)]),
  ];
};

const toBody = ({ body, received }: InternalRequest): RequestBody => {
  if (received !== undefined) return received.body;
  return body === undefined ? { kind: 'none' } : { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) };
};

const storageRoute: Route = { operation: 'opaque', isStorage: true };

/** Matches the path of a signed address without the rest, which lets anyone who has it read the file, and so is not logged. */
const storageMatch = ({ path, signedOrigin }: InternalRequest) =>
  signedOrigin === undefined
    ? { route: storageRoute, path, url: path }
    : { route: { ...storageRoute, signedOrigin }, path, url: path.split('?', 1)[0] ?? path };

/** Whether a route is a dialect's route for calling models, and not one that is passed on unchanged. */
const callsModel = ({ dialect, operation }: Route): boolean => dialect !== undefined && operation !== 'opaque';

const noEndpoint = (path: string): GatewayResponse => errorResponse(unknownRoute(path), { dialect: undefined });

/** Matches a path that belongs to the provider, whichever routes the gateway has. */
const passedOnMatch = ({ path }: InternalRequest) => ({
  route: { operation: 'opaque' } as const satisfies Route,
  path: path.slice(base.length),
  url: path,
});

/** Adds the plan that served the answer. Otherwise the exchange that an answer belongs to reports it. */
const withPlan = (response: GatewayResponse, { plan }: HttpExchange): GatewayResponse =>
  plan === undefined ? response : { ...response, headers: [...response.headers, 'x-gw-plan', plan.label] };

/** Adds what the attempts used. An attempt that was replaced by another one may end after the answer. */
const withUsages = (response: GatewayResponse, { trail }: HttpExchange): GatewayResponse => ({
  ...response,
  usages: () => trail.flatMap((event) => (event.kind === 'settled' ? [event.usage] : [])),
});

/**
 * Runs requests of plugins through the data path: without a socket, and without identification, because their principal is
 * already known.
 */
export const createDispatcher = ({
  gateway,
  clients,
  generations,
  plan,
  memoryBudget,
  clock,
  seeds,
}: DispatcherOptions): ((caller: Caller) => Dispatch) => {
  const answer = async (exchange: HttpExchange): Promise<GatewayResponse> => {
    const { problem } = exchange.caller;
    return problem === undefined ? gateway.handle(exchange, plan) : gateway.refuse(exchange, problem);
  };

  const findMatch = (request: InternalRequest) => {
    if (request.isStorage === true) return storageMatch(request);
    return request.isPassedOn === true ? passedOnMatch(request) : clients.match(request.method, request.path);
  };

  return ({ traceId, cancellation, waits }) =>
    async (request, as) => {
      const { method, path, headers: given = [] } = request;
      const match = findMatch(request);
      const isOther = request.isModelCall === true && match !== undefined && !callsModel(match.route);
      if (match === undefined || isOther || isControlRoute(match.route))
        return noEndpoint(path.split('?', 1)[0] ?? path);
      const headers = [...withoutNames(given, own), ...describing(request), 'x-gw-trace-id', traceId];
      const caller = clients.readHeaders(headers);
      if (request.asksUsage === true) caller.overrides.usage = true;
      const seed = seeds.next();
      const exchange = new HttpExchange({ method, match, headers, caller, seed, startedAt: clock.monotonic() });
      exchange.principal = as;
      exchange.kept = request.kept;
      exchange.isCounted = request.isCounted ?? true;
      exchange.isDispatched = true;
      exchange.take(toBody(request), request.received?.json);
      gateway.begin(exchange, waits);
      const generationRef = generations.enter();
      exchange.generationRef = generationRef;
      const stopListening =
        request.outlivesClient === true
          ? () => {}
          : cancellation.onCancel(() => exchange.cancellation.cancel(cancellation.cause));
      const over = (): void => {
        stopListening();
        generationRef.release();
        memoryBudget.release(exchange);
        exchange.end();
      };
      const response = await answer(exchange);
      if (response.body.kind === 'stream') response.body.onEnd(over);
      else over();
      const planned = withPlan(response, exchange);
      return request.asksUsage === true ? withUsages(planned, exchange) : planned;
    };
};
