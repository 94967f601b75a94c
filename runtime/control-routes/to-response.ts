import { withoutNames } from '../../plugins/sdk/http/header-lines.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import type { JsonReply, RouteReply } from '../../plugins/sdk/route/route-row.ts';
import { jsonHeaders } from '../engine/error-responses/error-response.ts';

const jsonResponse = ({ status, body, headers = [] }: JsonReply): GatewayResponse => ({
  status,
  headers: body === undefined ? headers : [...jsonHeaders, ...headers],
  origin: 'gateway',
  body: { kind: 'bytes', bytes: Buffer.from(body === undefined ? '' : JSON.stringify(body)) },
});

/** Converts what a handler returned to an answer. */
export const toResponse = (reply: RouteReply): GatewayResponse => ('origin' in reply ? reply : jsonResponse(reply));

/**
 * Adds a header that keeps caches from storing an answer of the control plane, because it is for one caller, and may contain a
 * new key.
 */
export const uncached = (response: GatewayResponse): GatewayResponse => ({
  ...response,
  headers: [...withoutNames(response.headers, ['cache-control']), 'cache-control', 'no-store'],
});
