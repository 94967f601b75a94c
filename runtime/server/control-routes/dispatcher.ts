import type { Cancellation, GatewayResponse, RawHeaders } from '../../../plugins/sdk/http.ts';
import type { Dispatch } from '../../../plugins/sdk/route-row.ts';
import { errorReport } from '../../../schema/errors.ts';
import type { Gateway } from '../../gateway.ts';
import type { Generations } from '../../generations/generations.ts';
import { errorResponse } from '../../link/error-response.ts';
import type { LinkedPlan } from '../../link/link.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Clients } from '../clients.ts';
import { isControlRoute } from '../declared-routes.ts';
import { HttpExchange } from '../http-exchange.ts';
import type { Seeds } from '../seeds.ts';

export interface DispatcherOptions {
  readonly gateway: Pick<Gateway, 'handle' | 'refuse'>;
  readonly clients: Clients;
  readonly generations: Generations;
  readonly plan: (exchange: HttpExchange) => LinkedPlan | Promise<LinkedPlan>;
  readonly clock: Clock;
  readonly seeds: Seeds;
}

/** The request of the control plane that a request is dispatched for. */
export interface Caller {
  readonly traceId: string;
  readonly cancellation: Cancellation;
}

/** Headers that describe the connection, the body or the caller of the request that came, and not the one that is made. */
const own: ReadonlySet<string> = new Set([
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
]);

const passedOn = (headers: RawHeaders): RawHeaders =>
  headers.filter((_, at) => !own.has(headers[at - (at % 2)]?.toLowerCase() ?? ''));

const noEndpoint = (path: string): GatewayResponse =>
  errorResponse(errorReport('unknown-route', { path }), { dialect: undefined });

/** With the plan that served it, which answers are otherwise told of by the exchange that they belong to. */
const withPlan = (response: GatewayResponse, { plan }: HttpExchange): GatewayResponse =>
  plan === undefined ? response : { ...response, headers: [...response.headers, 'x-gw-plan', plan.label] };

/** Runs requests of plugins through the data path: no socket, and no identification, since their principal is given. */
export const createDispatcher = ({
  gateway,
  clients,
  generations,
  plan,
  clock,
  seeds,
}: DispatcherOptions): ((caller: Caller) => Dispatch) => {
  const answer = async (exchange: HttpExchange): Promise<GatewayResponse> => {
    const { problem } = exchange.caller;
    return problem === undefined ? gateway.handle(exchange, plan) : gateway.refuse(exchange, problem);
  };

  return ({ traceId, cancellation }) =>
    async ({ method, path, headers: given = [], body }, as) => {
      const match = clients.match(method, path);
      if (match === undefined || isControlRoute(match.route)) return noEndpoint(path.split('?', 1)[0] ?? path);
      const described = body === undefined ? [] : ['content-type', 'application/json'];
      const headers = [...passedOn(given), ...described, 'x-gw-trace-id', traceId];
      const caller = clients.readHeaders(headers);
      const seed = seeds.next();
      const exchange = new HttpExchange({ method, match, headers, caller, seed, startedAt: clock.monotonic() });
      exchange.principal = as;
      if (body !== undefined) exchange.request.body = { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) };
      const generationRef = generations.enter();
      exchange.generationRef = generationRef;
      const stopListening = cancellation.onCancel(() => exchange.cancellation.cancel());
      const over = (): void => {
        stopListening();
        generationRef.release();
      };
      const response = await answer(exchange);
      if (response.body.kind === 'stream') response.body.onEnd(over);
      else over();
      return withPlan(response, exchange);
    };
};
