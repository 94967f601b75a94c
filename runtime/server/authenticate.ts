import type { Principal } from '../../plugins/sdk/exchange.ts';
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

/** The service key that a request presents: `x-gw-api-key`, or else the credential of its headers. */
export const presentedKey = ({ caller }: HttpExchange): string | undefined =>
  caller.serviceKey ?? caller.overrides.credential;

/** Whether what a request presents as a provider's credential may be a service key too: one that is not the presented one. */
export const otherCredential = ({ caller }: HttpExchange, presented: string): string | undefined =>
  caller.overrides.credential === presented ? undefined : caller.overrides.credential;

/** Who a caller is, and the texts of its request that must go no further. */
export interface Identified {
  readonly principal: Principal;
  readonly presented: string;
  /** Whether `otherCredential` is a service key. */
  readonly isOtherKey: boolean;
}

/** Makes an identified caller that of an exchange, whose headers then contain no service key. */
export const enter = (exchange: HttpExchange, { principal, presented, isOtherKey }: Identified): void => {
  const { caller, request } = exchange;
  exchange.principal = principal;
  const given = request.headers;
  request.headers = withoutText(given, presented);
  const { credential } = caller.overrides;
  if (credential !== undefined && (credential === presented || isOtherKey)) {
    request.headers = withoutText(request.headers, credential);
    delete caller.overrides.credential;
  }
  if (request.headers !== given) exchange.withheld = namesWithout(given, request.headers);
};

/**
 * Identifies the caller. The service key is in `x-gw-api-key`; if that is absent, the caller's bearer token (or
 * `x-api-key`) is the service key. A service key is never a provider's credential, and no header that contains it is
 * passed on. Returns the `GatewayError` `missing-service-key` or `wrong-service-key`.
 */
export const authenticate = (exchange: HttpExchange, identify: Identify): GatewayError | undefined => {
  const presented = presentedKey(exchange);
  if (presented === undefined) return gatewayError('missing-service-key', {});
  const principal = identify(presented);
  if (principal === undefined) return gatewayError('wrong-service-key', {});
  const other = otherCredential(exchange, presented);
  enter(exchange, { principal, presented, isOtherKey: other !== undefined && identify(other) !== undefined });
  return undefined;
};
