import { type GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import { isModelsRoute } from '../../route-matching/declared-routes.ts';
import type { RouteMatch } from '../../route-matching/route-match.ts';
import type { Routes } from '../../route-matching/routes.ts';
import type { CallerHeaders } from '../headers/caller-headers.ts';

/** Whether a request is the handshake of a WebSocket (RFC 6455 §4.1). Other offers, such as `h2c`, may be ignored. */
export const isHandshake = (method: string, { asksForWebSocket }: CallerHeaders): boolean =>
  asksForWebSocket && method === 'GET';

/** Whether the gateway itself, and not only a provider, knows what is at a path. */
const isKnown = (match: RouteMatch | undefined): boolean =>
  match !== undefined &&
  (match.route.operation !== 'opaque' ||
    match.route.isControl === true ||
    isModelsRoute(match.route) ||
    match.route.dialect !== undefined);

/**
 * Returns the answer to a handshake, which never reaches a provider as a plain request: 426 if the path is served over HTTP, so
 * that clients that support both continue with HTTP, otherwise 501.
 */
export const refusedUpgrade = (url: string, routes: Pick<Routes, 'match'>, isPage = false): GatewayError => {
  const [path = ''] = url.split('?', 1);
  return isPage || isKnown(routes.match('POST', url)) || isKnown(routes.match('GET', url))
    ? // RFC 9110 §15.5.22: it names the protocol to use instead.
      gatewayError('upgrade-refused', { path }, { headers: ['upgrade', 'HTTP/1.1', 'connection', 'upgrade, close'] })
    : gatewayError('upgrade-not-supported', { path });
};
