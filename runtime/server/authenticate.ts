import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { Identify } from './service-keys.ts';
import { withoutText } from './without-text.ts';

/**
 * Finds out who calls. The service key is in `x-gw-api-key`; where that is absent, the caller's bearer token (or
 * `x-api-key`) is the service key. A service key is no provider's credential, wherever else it stands, and no header
 * that holds it goes further.
 * Gives the `GatewayError`s `missing-service-key` and `wrong-service-key`.
 */
export const authenticate = (exchange: HttpExchange, identify: Identify): GatewayError | undefined => {
  const { caller, request } = exchange;
  const presented = caller.serviceKey ?? caller.overrides.credential;
  if (presented === undefined) return gatewayError('missing-service-key', {});
  const principal = identify(presented);
  if (principal === undefined) return gatewayError('wrong-service-key', {});
  exchange.principal = principal;
  request.headers = withoutText(request.headers, presented);
  const { credential } = caller.overrides;
  if (credential !== undefined && (credential === presented || identify(credential) !== undefined)) {
    request.headers = withoutText(request.headers, credential);
    delete caller.overrides.credential;
  }
  return undefined;
};
