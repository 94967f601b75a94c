import type { RawHeaders } from '../../plugins/sdk/http.ts';
import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import { headerClass } from '../link/headers/header-class.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { Identify } from './service-keys.ts';
import { withoutText } from './without-text.ts';

/** Names, in lower case, of removed lines, without the gateway's own headers, which are never sent to a provider. */
const namesWithout = (given: RawHeaders, left: RawHeaders): readonly string[] | undefined => {
  let gone: string[] | undefined;
  for (let at = 0, kept = 0; at < given.length; at += 2) {
    if (given[at] === left[kept] && given[at + 1] === left[kept + 1]) kept += 2;
    else if (headerClass(given[at] ?? '') !== 'gateway') {
      gone ??= [];
      gone.push((given[at] ?? '').toLowerCase());
    }
  }
  return gone;
};

/**
 * Identifies the caller. The service key is in `x-gw-api-key`; if that is absent, the caller's bearer token (or
 * `x-api-key`) is the service key. A service key is never a provider's credential, and no header that contains it is
 * passed on. Returns the `GatewayError` `missing-service-key` or `wrong-service-key`.
 */
export const authenticate = (exchange: HttpExchange, identify: Identify): GatewayError | undefined => {
  const { caller, request } = exchange;
  const presented = caller.serviceKey ?? caller.overrides.credential;
  if (presented === undefined) return gatewayError('missing-service-key', {});
  const principal = identify(presented);
  if (principal === undefined) return gatewayError('wrong-service-key', {});
  exchange.principal = principal;
  const given = request.headers;
  request.headers = withoutText(given, presented);
  const { credential } = caller.overrides;
  if (credential !== undefined && (credential === presented || identify(credential) !== undefined)) {
    request.headers = withoutText(request.headers, credential);
    delete caller.overrides.credential;
  }
  if (request.headers !== given) exchange.withheld = namesWithout(given, request.headers);
  return undefined;
};
