import type { SessionPlace } from '../../plugins/sdk/control-plane/session-cookies.ts';
import { sessionCookies } from '../../schema/credentials/credential-headers.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { isLoopbackHost } from './foreign-caller.ts';

/**
 * Returns how a browser reaches the gateway: over the gateway's own TLS, or by a loopback name on the browser's own machine.
 * Undefined otherwise. A proxy's claim that it uses TLS is not trusted, because everybody can send the same headers.
 */
export const sessionPlace = ({ connection, caller: { host } }: HttpExchange): SessionPlace | undefined => {
  if (connection?.request.socket.encrypted === true) return 'tls';
  return host !== undefined && isLoopbackHost(host) ? 'loopback' : undefined;
};

/** A token, 32 bytes in base64url. */
const token = /^[\w-]{43}$/;

/**
 * Returns the token of the session whose cookie applies at this place. Undefined if there is none, or if there are several that
 * differ.
 */
export const presentedSession = (exchange: HttpExchange): string | undefined => {
  const { cookies = [] } = exchange.caller;
  const place = cookies.length === 0 ? undefined : sessionPlace(exchange);
  if (place === undefined) return undefined;
  const beginning = `${sessionCookies[place]}=`;
  const pairs = cookies.flatMap((line) => line.split(';').map((pair) => pair.trim()));
  const values = new Set(pairs.flatMap((pair) => (pair.startsWith(beginning) ? [pair.slice(beginning.length)] : [])));
  const [value = ''] = values;
  return values.size === 1 && token.test(value) ? value : undefined;
};
