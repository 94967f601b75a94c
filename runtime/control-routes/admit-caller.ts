import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import type { AnyRouteRow } from '../../plugins/sdk/route/route-row.ts';
import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import { actInWorkspace } from '../access/act-in-workspace.ts';
import { type Authentication, authenticate } from '../access/authenticate.ts';
import { type AllowedOrigins, foreignCaller } from '../access/foreign-caller.ts';
import { foreignPage } from '../access/own-page.ts';
import { presentedSession } from '../access/presented-session.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { isControlRoute } from '../route-matching/declared-routes.ts';

export interface CallerRules extends Pick<Authentication, 'onRefused'> {
  /** Set if there are service keys. They reject only with a `GatewayError`. */
  readonly identities?: Identities | undefined;
  /** Without service keys: whether only callers from this machine are answered. */
  readonly guarded: boolean;
  /** The origins whose pages may call the paths of vendors' APIs. Default: only that of the gateway itself. */
  readonly origins?: AllowedOrigins | undefined;
}

/** Whether a page of this origin belongs to the host that it calls. */
const isOfHost = (origin: string, host: string | undefined): boolean =>
  host !== undefined && origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase();

/** Finds the caller of a request again. Undefined once its key, or whatever it presented, is no longer valid. */
export type FindAgain = () => Promise<Principal | undefined>;

/** A caller that is answered. */
export interface Admitted {
  readonly findAgain: FindAgain;
  /** Whether it presented a session of the console instead of a key. */
  readonly hasSession: boolean;
}

/** Throws the `GatewayError`s `foreign-origin`, `foreign-site` and `invalid-header`. */
const refuseForeign = (
  { caller: { host, origin, ambiguity }, route }: HttpExchange,
  { guarded, origins }: CallerRules,
): void => {
  const allowed = isControlRoute(route) && route.isShared ? origins : undefined;
  const from = guarded ? foreignCaller(host, origin, allowed) : undefined;
  if (from !== undefined) throw gatewayError('foreign-origin', { from });
  if (origin !== undefined && !isOfHost(origin, host) && allowed?.isAllowed(origin) !== true)
    throw gatewayError('foreign-site', { origin });
  if (ambiguity !== undefined) throw ambiguity;
};

/**
 * Admits a caller without identifying it. A change must come from a page of this host. Throws the `GatewayError`s
 * `foreign-origin`, `foreign-site`, `invalid-header` and `forbidden`.
 */
export const admitAnyone = (exchange: HttpExchange, rules: CallerRules): Admitted => {
  refuseForeign(exchange, rules);
  const needsPage = exchange.request.method !== 'GET' || presentedSession(exchange) !== undefined;
  const foreign = needsPage ? foreignPage(exchange) : undefined;
  if (foreign !== undefined) throw foreign;
  return { findAgain: async () => exchange.principal, hasSession: false };
};

/** Makes the holder of a session the caller, or returns why it is not. */
const takeSession = async (
  exchange: HttpExchange,
  { identities, token }: { readonly identities: Identities; readonly token: string },
): Promise<GatewayError | undefined> => {
  const foreign = foreignPage(exchange);
  if (foreign !== undefined) return foreign;
  const found = await identities.identifySession?.(token);
  if (found === undefined) return gatewayError('session-ended', {});
  exchange.principal = found;
  return undefined;
};

/**
 * Decides who may call the control plane, and makes the caller that of the exchange: a key's holder, or, without a key, that of a
 * session of the console. Throws the `GatewayError`s `foreign-origin`, `foreign-site`, `invalid-header`, `forbidden`,
 * `session-ended`, and those of `authenticate` and `actInWorkspace`. Resolves with how to find the same caller again while its
 * answer lasts.
 */
export const admitCaller = async (exchange: HttpExchange, rules: CallerRules): Promise<Admitted> => {
  const { identities, onRefused } = rules;
  refuseForeign(exchange, rules);
  if (identities === undefined) return { findAgain: async () => exchange.principal, hasSession: false };
  const { identify, findWorkspace, identifySession } = identities;
  const { workspace, serviceKey, overrides } = exchange.caller;
  // It is withheld from the exchange once it is known to be a key.
  const presented = serviceKey ?? overrides.credential;
  const token = presented === undefined ? presentedSession(exchange) : undefined;
  const refused =
    (token === undefined
      ? await authenticate(exchange, { identify, onRefused })
      : await takeSession(exchange, { identities, token })) ??
    (workspace === undefined ? undefined : await actInWorkspace(exchange, workspace, findWorkspace));
  if (refused !== undefined) throw refused;
  const findAgain = async (): Promise<Principal | undefined> => {
    const found = await (token === undefined ? identify(presented ?? '') : identifySession?.(token));
    return found === undefined || workspace === undefined ? found : findWorkspace?.(found, workspace);
  };
  return { findAgain, hasSession: token !== undefined };
};

/**
 * Throws the `GatewayError` `forbidden` for a session at a route that calls models, except for the one that is meant for
 * sessions.
 */
export const refuseSession = (
  { admits, scope, shared = false }: Pick<AnyRouteRow, 'admits' | 'scope' | 'shared'>,
  { hasSession }: Pick<Admitted, 'hasSession'>,
): void => {
  if (!hasSession || admits === 'sessions' || (!shared && scope !== 'completions.write')) return;
  throw gatewayError('forbidden', {
    fact: 'A console session may not use this route.',
    suggestion: 'Send a service key in the header x-gw-api-key.',
  });
};
