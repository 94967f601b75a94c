import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import { dropHeader } from './drop-header.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { Identify } from './service-keys.ts';

/**
 * Finds out who calls. The service key is in `x-gw-api-key`; where that is absent, the caller's bearer token (or
 * `x-api-key`) is the service key, and then it is no provider's credential and goes no further.
 * Gives the `GatewayError`s `missing-service-key` and `wrong-service-key`.
 */
export const authenticate = (exchange: HttpExchange, identify: Identify): GatewayError | undefined => {
  const { caller, request } = exchange;
  const presented = caller.serviceKey ?? caller.wishes.credential;
  if (presented === undefined) return gatewayError('missing-service-key', {});
  const principal = identify(presented);
  if (principal === undefined) return gatewayError('wrong-service-key', {});
  exchange.principal = principal;
  if (caller.serviceKey !== undefined || caller.credentialHeader === undefined) return undefined;
  request.headers = dropHeader(request.headers, caller.credentialHeader);
  delete caller.wishes.credential;
  return undefined;
};
