import { headerValue } from '../../plugins/sdk/http/http.ts';
import type { AnyRouteRow, RouteInput } from '../../plugins/sdk/route/route-row.ts';
import { type ContentHash, hashValue } from '../../schema/json/canonical.ts';
import type { Json } from '../../schema/json/json.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';

/**
 * Lists what determines which account of a provider serves a request. Undefined if its headers leave that to its key. Secrets are
 * hashed.
 */
const chosenAccount = ({ caller }: Pick<HttpExchange, 'caller'>): readonly Json[] | undefined => {
  const { virtualKey = null, config = null, overrides } = caller;
  const { provider = null, customHost = null, credential, settings } = overrides;
  const secrets = credential === undefined && settings === undefined ? null : hashValue([credential ?? null, settings]);
  const chosen = [virtualKey, provider, config, customHost, secrets];
  return chosen.every((each) => each === null) ? undefined : chosen;
};

/** Hashes everything that identifies a repetition of a request to a route. Throws the `GatewayError` `malformed-body`. */
export const requestHash = (
  exchange: Pick<HttpExchange, 'caller' | 'request'>,
  { shared = false }: Pick<AnyRouteRow, 'shared'>,
  { params, query, body, received }: RouteInput,
): ContentHash => {
  const workspace = headerValue(exchange.request.headers, 'x-gw-workspace') ?? null;
  const account = shared ? chosenAccount(exchange) : undefined;
  const asked = [params, query, body ?? received.json?.() ?? null, workspace];
  return hashValue(account === undefined ? asked : [...asked, account]);
};
