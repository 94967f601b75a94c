import type { IdempotencyStore } from '../../plugins/sdk/control-plane/idempotency-store.ts';
import type { BrowserCaller } from '../../plugins/sdk/control-plane/session-cookies.ts';
import { onlyNames } from '../../plugins/sdk/http/header-lines.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { AnyRouteRow, Dispatch, RouteInput, RouteReply } from '../../plugins/sdk/route/route-row.ts';
import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import { presentedSession, sessionPlace } from '../access/presented-session.ts';
import { clientClosedResponse } from '../engine/error-responses/client-closed-response.ts';
import type { Gateway } from '../engine/gateway.ts';
import type { MemoryBudget } from '../http/body/memory-budget.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { peerAddress } from '../http/exchange/peer-address.ts';
import { differingValues } from '../http/headers/read-caller-headers.ts';
import type { Clock } from '../ports/clock.ts';
import { createRouteFinder, type FoundRow, type OtherMethods } from '../route-matching/route-finder.ts';
import { admitAnyone, admitCaller, type CallerRules, type FindAgain, refuseSession } from './admit-caller.ts';
import { checkScope } from './check-scope.ts';
import { controlError } from './control-error.ts';
import type { Caller } from './dispatcher.ts';
import { type InputSchemas, inputSchemas, toRows } from './input/compile-rows.ts';
import { readInput } from './input/read-input.ts';
import { mayGoOn } from './may-go-on.ts';
import { openApiRow } from './open-api/row.ts';
import { requestHash } from './request-hash.ts';
import { createRunOnce, jsonRuns, type Repeatable, referenceRuns } from './run-once.ts';
import { toGatewayError } from './to-gateway-error.ts';
import { toResponse, uncached } from './to-response.ts';

export interface ControlRoutesOptions extends CallerRules {
  readonly plugins: readonly Plugin[];
  readonly gateway: Pick<Gateway, 'conclude'>;
  readonly memoryBudget: MemoryBudget;
  /** The largest body of a model request, in bytes. */
  readonly bodyBytes: number;
  readonly clock: Clock;
  readonly kept: IdempotencyStore;
  readonly dispatch: (caller: Caller) => Dispatch;
  /** Notifies the operator of what no answer reports. */
  readonly log: (text: string) => void;
}

/** Answers a request to the control plane. Never rejects. */
export type ControlRoutes = (exchange: HttpExchange) => Promise<GatewayResponse>;

/** The default size limit for the body of a request to the control plane. */
const defaultBodyBytes = 1024 * 1024;

/** A route, and how to find its caller again. */
interface AdmittedRow {
  readonly row: AnyRouteRow;
  readonly findAgain: FindAgain;
}

const admitsAnyone = (found: FoundRow | OtherMethods | undefined): boolean =>
  found?.kind === 'row' && found.row.admits === 'anyone';

/** Returns the browser that calls a route which admits anyone. */
const toBrowser = (exchange: HttpExchange): BrowserCaller => {
  const [place, session] = [sessionPlace(exchange), presentedSession(exchange)];
  return { ...(place === undefined ? {} : { place }), ...(session === undefined ? {} : { session }) };
};

/** Returns the path below the base, and the query with its `?`, of a request that was matched. */
const target = ({ request: { path } }: HttpExchange): { readonly path: string; readonly search: string } => {
  const query = path.indexOf('?');
  return query === -1 ? { path, search: '' } : { path: path.slice(0, query), search: path.slice(query) };
};

const longestKey = 255;

/** Returns the `idempotency-key` of a request. Throws the `GatewayError` `invalid-header`. */
const repeatKey = ({ request: { headers } }: HttpExchange): string | undefined => {
  const [key, ...others] = new Set(onlyNames(headers, ['idempotency-key']).filter((_, at) => at % 2 === 1));
  const isPlain = key === undefined || (/^[\x21-\x7e]+$/.test(key) && key.length <= longestKey);
  if (isPlain && others.length === 0) return key;
  const reason = isPlain ? differingValues : `it must have 1 to ${longestKey} visible characters of ASCII.`;
  throw gatewayError('invalid-header', { header: 'idempotency-key', reason });
};

/** Returns an error in the control plane's format. */
const failure = ({ report }: GatewayError, allowed: readonly string[]): GatewayResponse => {
  const response = controlError(report);
  return allowed.length === 0 ? response : { ...response, headers: [...response.headers, 'allow', allowed.join(', ')] };
};

/** Returns the answer to `OPTIONS` (RFC 9110 §9.3.7). */
const methodsAnswer = (allowed: readonly string[]): GatewayResponse => ({
  status: 204,
  headers: ['allow', [...allowed, 'OPTIONS'].join(', ')],
  origin: 'gateway',
  body: { kind: 'bytes', bytes: Buffer.alloc(0) },
});

/**
 * Serves the routes of plugins. Checks, in this order: who calls (403, 401), whether there is a route (404, 405), what the key
 * may do (403), and the headers and the input (400, 413). Then calls the handler. Throws a `PluginError` for routes that cannot
 * be served.
 */
export const createControlRoutes = (options: ControlRoutesOptions): ControlRoutes => {
  const { plugins, gateway, memoryBudget, bodyBytes, clock, kept, dispatch, log } = options;
  const declared = toRows(plugins);
  const rows: readonly AnyRouteRow[] = [...declared, openApiRow(declared, plugins)];
  const schemas = new Map<AnyRouteRow, InputSchemas>(rows.map((row) => [row, inputSchemas(row)]));
  const find = createRouteFinder(rows);
  const now = (): number => clock.wall();
  const runOnce = createRunOnce({
    kept,
    now,
    notKept: (error) => log(`A reply could not be stored for its idempotency-key: ${toGatewayError(error).message}`),
  });

  /** Throws the `GatewayError` `invalid-header`. */
  const repeatable = (exchange: HttpExchange, row: AnyRouteRow, input: RouteInput): Repeatable | undefined => {
    const key = row.idempotent === true ? repeatKey(exchange) : undefined;
    if (key === undefined) return undefined;
    const { tenant } = exchange.principal;
    return { tenant, route: row.operationId, key, bodyHash: requestHash(exchange, row, input) };
  };

  const run = async (
    exchange: HttpExchange,
    { row, findAgain }: AdmittedRow,
    input: RouteInput,
  ): Promise<RouteReply> => {
    const { principal, traceId, cancellation, labels } = exchange;
    const { headers } = exchange.request;
    const { metadata } = exchange.caller;
    const { tenant } = principal;
    const clientAddress = peerAddress(exchange.connection);
    return row.handle(input, {
      principal,
      tenant,
      traceId,
      ...(clientAddress === undefined ? {} : { clientAddress }),
      headers,
      ...(metadata === undefined ? {} : { metadata }),
      ...(row.admits === 'anyone' ? { browser: toBrowser(exchange) } : {}),
      cancellation,
      dispatch: dispatch({ traceId, cancellation, waits: labels.waits }),
      once: async (start, again) => {
        const request = repeatable(exchange, row, input);
        return request === undefined ? (await start()).reply : runOnce(request, referenceRuns(start, again));
      },
      mayGoOn: () => mayGoOn(exchange, { row, findAgain, rules: options }),
      now,
    });
  };

  const reply = async (
    exchange: HttpExchange,
    { row, params }: FoundRow,
    findAgain: FindAgain,
  ): Promise<RouteReply> => {
    const { search } = target(exchange);
    const input = await readInput(exchange, {
      schemas: schemas.get(row) ?? inputSchemas(row),
      takes: typeof row.body === 'string' ? row.body : undefined,
      params,
      search,
      bounds: {
        memoryBudget,
        bodyBytes: row.maxBytes ?? row.mostBytes ?? (row.body === 'whole' ? bodyBytes : defaultBodyBytes),
      },
    });
    // If the handler reads the body itself, it decides.
    const request = row.body === 'whole' ? undefined : repeatable(exchange, row, input);
    return request === undefined
      ? run(exchange, { row, findAgain }, input)
      : runOnce(
          request,
          jsonRuns(() => run(exchange, { row, findAgain }, input)),
        );
  };

  return async (exchange) => {
    let allowed: readonly string[] = [];
    try {
      const { path } = target(exchange);
      const { method } = exchange.request;
      const found = find(method, path);
      const admitted = admitsAnyone(found) ? admitAnyone(exchange, options) : await admitCaller(exchange, options);
      if (found === undefined) throw gatewayError('unknown-endpoint', { path: `/v1${path}` });
      if (found.kind === 'other-methods') {
        allowed = found.allowed;
        if (method === 'OPTIONS') return gateway.conclude(exchange, uncached(methodsAnswer(allowed)));
        throw gatewayError('method-not-allowed', { path: `/v1${path}`, method, allowed: allowed.join(', ') });
      }
      refuseSession(found.row, admitted);
      checkScope(found.row, exchange.principal, options);
      if (exchange.caller.problem !== undefined) throw exchange.caller.problem;
      const response = toResponse(await reply(exchange, found, admitted.findAgain), found.row.operationId);
      // A provider's answer to a request that is passed on is returned to the client unchanged.
      const isPassedOn = found.row.shared === true && response.origin === 'upstream';
      return gateway.conclude(exchange, isPassedOn ? response : uncached(response));
    } catch (error) {
      // The client disconnected while it sent its body, so nobody receives the answer.
      if (exchange.cancellation.cancelled) return gateway.conclude(exchange, clientClosedResponse);
      const why = toGatewayError(error);
      return gateway.conclude(exchange, uncached(failure(why, allowed)), why);
    }
  };
};
