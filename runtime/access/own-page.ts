import { consoleHeader } from '../../plugins/sdk/control-plane/session-cookies.ts';
import { headerValue } from '../../plugins/sdk/http/http.ts';
import { type GatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';

const refused = (fact: string): GatewayError =>
  gatewayError('forbidden', { fact, suggestion: 'Use the console, or send a service key in the header x-gw-api-key.' });

/** Whether a request changes nothing (RFC 9110 §9.2.1). */
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/**
 * A browser sends a cookie whichever page makes the request. Returns why a request with a cookie is not the console's own.
 * Undefined if it is: a change with the origin of this host and the console's header, or a read with the header or with the
 * browser's confirmation that a page of this host sent it.
 */
export const foreignPage = ({ request, connection, caller }: HttpExchange): GatewayError | undefined => {
  const { method, headers } = request;
  const site = headerValue(headers, 'sec-fetch-site');
  const isMarked = headerValue(headers, consoleHeader) === '1';
  if (site !== undefined && site !== 'same-origin')
    return refused('A console session may only be used by pages of this gateway.');
  if (isRead(method))
    return isMarked || site !== undefined
      ? undefined
      : refused(`A request with a console session needs the header ${consoleHeader}: 1.`);
  if (!isMarked) return refused(`A change with a console session needs the header ${consoleHeader}: 1.`);
  const scheme = connection?.request.socket.encrypted === true ? 'https' : 'http';
  return caller.origin?.toLowerCase() === `${scheme}://${caller.host?.toLowerCase()}`
    ? undefined
    : refused('A change with a console session needs the header origin, with this host and its scheme.');
};
