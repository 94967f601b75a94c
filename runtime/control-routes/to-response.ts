import { withoutNames } from '../../plugins/sdk/http/header-lines.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import { areSendable } from '../../plugins/sdk/http/sendable-headers.ts';
import { areHeaders } from '../../plugins/sdk/provider/provider-settings.ts';
import type { JsonReply, RouteReply } from '../../plugins/sdk/route/route-row.ts';
import { isFinalStatus } from '../../schema/http/status.ts';
import { jsonHeaders } from '../engine/error-responses/error-response.ts';

const jsonResponse = ({ status, body, headers = [] }: JsonReply): GatewayResponse => ({
  status,
  headers: body === undefined ? headers : [...jsonHeaders, ...headers],
  origin: 'gateway',
  body: { kind: 'bytes', bytes: Buffer.from(body === undefined ? '' : JSON.stringify(body)) },
});

const isReply = (reply: unknown): boolean => {
  const { status, headers = [] }: Partial<Record<string, unknown>> = Object(reply);
  return isFinalStatus(status) && areHeaders(headers) && areSendable(headers);
};

/**
 * Converts what the handler of a route returned to an answer. Throws a `TypeError` that names the route if a plugin that is not
 * type-checked returned something else.
 */
export const toResponse = (reply: RouteReply, operationId: string): GatewayResponse => {
  if (!isReply(reply))
    throw new TypeError(
      `The handler of the route "${operationId}" returned something other than a reply: a status and a list of headers that HTTP can carry.`,
    );
  return 'origin' in reply ? reply : jsonResponse(reply);
};

/**
 * Adds a header that keeps caches from storing an answer of the control plane, because it is for one caller, and may contain a
 * new key.
 */
export const uncached = (response: GatewayResponse): GatewayResponse => ({
  ...response,
  headers: [...withoutNames(response.headers, ['cache-control']), 'cache-control', 'no-store'],
});
