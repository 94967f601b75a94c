import type { Exchange } from '../../sdk/exchange.ts';
import type { GatewayResponse } from '../../sdk/http.ts';
import { endpointOf } from '../endpoint-of.ts';
import { longestValue, type RequestRecord } from './records.ts';
import type { RequestTrace } from './request-trace.ts';

/** The part of the URL before its query. */
const pathOf = (url: string): string => {
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
): RequestRecord => [
  'request',
  place,
  request.method,
  pathOf(request.path),
  endpointOf(route),
  traceId,
  startedAt,
  at,
  status,
  cause ?? null,
  plan?.label ?? null,
  leaf?.cache ?? null,
  events,
];
