import type { Exchange } from '../../../sdk/exchange/exchange.ts';
import { clientScheme } from '../../../sdk/http/client-scheme.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import { toEndpoint } from '../../to-endpoint.ts';
import { longestValue, type RequestRecord } from './records.ts';
import type { RequestTrace } from './request-trace.ts';

/** The part of the URL before its query. */
const toPath = (url: string): string => {
  const end = url.indexOf('?');
  return (end < 0 ? url : url.slice(0, end)).slice(0, longestValue);
};

/** How a request ended. */
export interface RequestEnd {
  /** Milliseconds of the runtime's clock. */
  readonly at: number;
  readonly exchange: Exchange;
  readonly response: GatewayResponse;
}

/** The record of a request whose spans are kept. */
export const requestRecord = (
  { place, startedAt, events, exchange: { request, route, traceId } }: RequestTrace,
  { at, exchange: { plan }, response: { status, cause, leaf } }: RequestEnd,
): RequestRecord => ({
  kind: 'request',
  place,
  method: request.method,
  scheme: clientScheme(request.headers),
  path: toPath(request.path),
  endpoint: toEndpoint(route),
  gatewayTraceId: traceId,
  startedAt,
  endedAt: at,
  status,
  cause: cause ?? null,
  plan: plan?.label ?? null,
  cacheStatus: leaf?.cache ?? null,
  events,
});
