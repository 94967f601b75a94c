import type { Identify } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import type { RawHeaders } from '../../plugins/sdk/http/http.ts';
import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import { headerClass } from '../engine/headers/header-class.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { peerAddress } from '../http/exchange/peer-address.ts';
import { hasUnreadHeaders, portkeyUnread } from '../http/headers/misspelt-header.ts';
import { withoutQueryText } from '../routes/query-credential.ts';
import { withoutText } from '../routes/without-text.ts';

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

/** Removes what the caller presented from what is passed on. */
const withhold = (exchange: HttpExchange, presented: string): void => {
  const { caller, request } = exchange;
  request.headers = withoutText(request.headers, presented);
  request.path = withoutQueryText(request.path, presented);
  exchange.url = withoutQueryText(exchange.url, presented);
  if (caller.overrides.credential === presented) delete caller.overrides.credential;
};

/** Withholds the credential too if that is somebody's service key, and notes what is withheld of the headers that were given. */
const withholdCredential = (exchange: HttpExchange, given: RawHeaders, holder: Principal | undefined): undefined => {
  const { caller, request } = exchange;
  const { credential } = caller.overrides;
  if (holder !== undefined && credential !== undefined) withhold(exchange, credential);
  if (request.headers !== given) exchange.withheld = namesWithout(given, request.headers);
};

/** Withholds every service key of an identified caller, also one that it sent where a provider's credential belongs. */
const withholdKeys = (
  exchange: HttpExchange,
  presented: string,
  identify: Identify,
): undefined | Promise<undefined> => {
  const given = exchange.request.headers;
  withhold(exchange, presented);
  const { credential } = exchange.caller.overrides;
  const holder = credential === undefined ? undefined : identify(credential);
  return holder instanceof Promise
    ? holder.then((found) => withholdCredential(exchange, given, found))
    : withholdCredential(exchange, given, holder);
};

/** The remedy of who sends no service key. */
export const sendKey = 'Send it in the header x-gw-api-key.';

/** Notified of a service key that is nobody's, and of the address that it came from. */
export type OnRefused = (presented: string, address: string | undefined) => void;

/** How callers are identified, and who is notified of a key that is nobody's. */
export interface Authentication {
  readonly identify: Identify;
  readonly onRefused?: OnRefused | undefined;
}

/**
 * Identifies the caller. The service key is in `x-gw-api-key`; if that is absent, the caller's bearer token (or
 * `x-api-key`) is the service key. A service key is never a provider's credential, and no header and no member of the
 * query that contains it is passed on. Returns the `GatewayError` `missing-service-key` or `wrong-service-key`; a promise only if `identify` does,
 * which rejects as that does.
 */
export const authenticate = (
  exchange: HttpExchange,
  { identify, onRefused }: Authentication,
): GatewayError | undefined | Promise<GatewayError | undefined> => {
  const { caller } = exchange;
  const presented = caller.serviceKey ?? caller.overrides.credential;
  if (presented === undefined) {
    const suggestion = hasUnreadHeaders(exchange.request.headers, caller)
      ? `${portkeyUnread}. Or send the service key in the header x-gw-api-key.`
      : sendKey;
    return gatewayError('missing-service-key', { suggestion });
  }
  const take = (principal: Principal | undefined): GatewayError | undefined | Promise<undefined> => {
    if (principal === undefined) {
      onRefused?.(presented, peerAddress(exchange.connection));
      return gatewayError('wrong-service-key', { place: caller.keyPlace });
    }
    exchange.principal = principal;
    return withholdKeys(exchange, presented, identify);
  };
  const principal = identify(presented);
  return principal instanceof Promise ? principal.then(take) : take(principal);
};
