import type { Identify } from '../../plugins/sdk/control-plane/identities.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import { canonicalPath } from '../../plugins/sdk/http/canonical-path.ts';
import type { RawHeaders } from '../../plugins/sdk/http/http.ts';
import { cloudCredentials } from '../../schema/credentials/credential-headers.ts';
import { hasServiceKey } from '../../schema/credentials/without-service-keys.ts';
import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../schema/json/json.ts';
import { headerClass } from '../engine/forwarded-headers/header-class.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { peerAddress } from '../http/exchange/peer-address.ts';
import type { CallerHeaders } from '../http/headers/caller-headers.ts';
import { hasUnreadHeaders, portkeyUnread } from '../http/headers/misspelt-header.ts';
import { withoutQueryText } from '../route-matching/query-credential.ts';
import { holdsText, withoutText } from '../route-matching/without-text.ts';

/** Returns the names, in lower case, of removed lines, without the gateway's own headers, which are never sent to a provider. */
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

/** Whether the value of a setting, or of a label, contains a text. */
const holdsIn = (value: Json | undefined, text: string): boolean =>
  holdsText(typeof value === 'string' ? value : JSON.stringify(value), text);

/** Returns the labels without those that contain a text, because labels are logged, and sent to checks. */
const withoutLabels = (labels: JsonObject, text: string): JsonObject => {
  const all = Object.entries(labels);
  const kept = all.filter(([name, value]) => !holdsText(name, text) && !holdsIn(value, text));
  return kept.length === all.length ? labels : Object.fromEntries(kept);
};

/** Removes a text from everything that is passed on. */
const withhold = (exchange: HttpExchange, text: string): void => {
  const { caller, request } = exchange;
  request.headers = withoutText(request.headers, text);
  request.path = withoutQueryText(request.path, text);
  exchange.url = withoutQueryText(exchange.url, text);
  if (caller.overrides.credential === text) delete caller.overrides.credential;
  if (caller.metadata !== undefined) caller.metadata = withoutLabels(caller.metadata, text);
  const { settings = {} } = caller;
  for (const name of Object.keys(settings)) if (holdsIn(settings[name], text)) delete settings[name];
};

/** Returns the texts that a caller sent in place of a provider's credential: in credential headers, and in those of a cloud. */
const sentCredentials = ({
  overrides: { credential },
  otherCredentials = [],
  settings,
}: CallerHeaders): readonly string[] => {
  const own = credential === undefined ? otherCredentials : [credential, ...otherCredentials];
  if (settings === undefined) return own;
  return [...own, ...cloudCredentials.map((name) => settings[name]).filter((value) => typeof value === 'string')];
};

/** Withholds the texts that are somebody's service key. They are looked up in turn. */
const withholdHeld = (
  exchange: HttpExchange,
  texts: readonly string[],
  identify: Identify,
): undefined | Promise<undefined> => {
  for (const [at, text] of texts.entries()) {
    const take = (holder: Principal | undefined): void => {
      if (holder !== undefined) withhold(exchange, text);
    };
    const holder = identify(text);
    if (holder instanceof Promise)
      return holder.then((found) => {
        take(found);
        return withholdHeld(exchange, texts.slice(at + 1), identify);
      });
    take(holder);
  }
  return undefined;
};

/**
 * Removes the headers that contain anything in the form of a service key, whoever holds it, as from queries. Those with one of the
 * given texts stay: these are credentials for a provider, which may itself be a gateway.
 */
const withholdForms = ({ request }: HttpExchange, credentials: readonly string[]): void => {
  const { headers } = request;
  if (!headers.some(hasServiceKey)) return;
  const isKey = (value = ''): boolean =>
    hasServiceKey(value) && !credentials.some((credential) => value.includes(credential));
  if (headers.some((value, part) => part % 2 === 1 && isKey(value)))
    request.headers = headers.filter((_, part) => !isKey(headers[part | 1]));
};

/** Records which of the given headers are withheld. */
const noteWithheld = (exchange: HttpExchange, given: RawHeaders): undefined => {
  const { headers } = exchange.request;
  if (headers !== given) exchange.withheld = namesWithout(given, headers);
};

/** Withholds what else has the form of a service key. */
const withholdRest = (exchange: HttpExchange, given: RawHeaders, credentials: readonly string[]): undefined => {
  withholdForms(exchange, credentials);
  return noteWithheld(exchange, given);
};

/** Withholds every service key of an identified caller, including one that it sent in place of a provider's credential. */
const withholdKeys = (
  exchange: HttpExchange,
  presented: string,
  identify: Identify,
): undefined | Promise<undefined> => {
  const given = exchange.request.headers;
  withhold(exchange, presented);
  const sent = sentCredentials(exchange.caller);
  const held = withholdHeld(exchange, sent, identify);
  return held instanceof Promise
    ? held.then(() => withholdRest(exchange, given, sent))
    : withholdRest(exchange, given, sent);
};

/** Whether the base URL that a caller names contains a service key, which would be part of every path there. */
const isKeyInHost = (host: string | undefined, presented: string): boolean => {
  if (host === undefined) return false;
  const decoded = canonicalPath(host);
  return hasServiceKey(decoded) || holdsText(decoded, presented);
};

/** The remedy for a caller that sends no service key. */
export const sendKey = 'Send it in the header x-gw-api-key.';

/** Notified of a service key that belongs to nobody, and of the address that it came from. */
export type OnRefused = (presented: string, address: string | undefined) => void;

/** How callers are identified, and who is notified of a key that belongs to nobody. */
export interface Authentication {
  readonly identify: Identify;
  readonly onRefused?: OnRefused | undefined;
}

/**
 * Identifies the caller. The service key is in `x-gw-api-key`. If that is absent, the caller's bearer token (or `x-api-key`) is
 * the service key. A service key is never a provider's credential, and no header or query member that contains it is passed on.
 * Returns the `GatewayError` `missing-service-key`, `wrong-service-key` or `service-key-in-path`. A promise only if `identify`
 * returns one, and rejects like it.
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
    if (isKeyInHost(caller.overrides.customHost, presented)) return gatewayError('service-key-in-path', {});
    return withholdKeys(exchange, presented, identify);
  };
  const principal = identify(presented);
  return principal instanceof Promise ? principal.then(take) : take(principal);
};
