import type { TrailEvent, TrailEventOf } from '../../../../schema/trail/trail.ts';
import type { Exchange } from '../../../sdk/exchange/exchange.ts';
import { clientScheme } from '../../../sdk/http/client-scheme.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import { toEndpoint } from '../../to-endpoint.ts';
import { findSpanName } from './named-span.ts';
import { chosenText, type RequestRecord } from './records.ts';
import type { RequestTrace } from './request-trace.ts';

/** Returns the part of a URL before its query. */
const toPath = (url: string): string => {
  const end = url.indexOf('?');
  return chosenText(end < 0 ? url : url.slice(0, end));
};

/** How a request ended. */
export interface RequestEnd {
  /** In milliseconds of the runtime's clock. */
  readonly at: number;
  readonly exchange: Exchange;
  readonly response: GatewayResponse;
}

type Compared = TrailEventOf<'cached' | 'missed'>;

/**
 * Returns the similarity that the cache of the answering leaf found. If the cache compares nothing, the trail is not searched.
 */
const findSimilarity = ({ trail }: Exchange, { leaf }: GatewayResponse): number | undefined => {
  if (leaf?.cache !== 'SEMANTIC HIT' && leaf?.cache !== 'SEMANTIC MISS') return undefined;
  const isOfLeaf = (event: TrailEvent): event is Compared =>
    (event.kind === 'cached' || event.kind === 'missed') && event.path === leaf.path;
  return trail.findLast(isOfLeaf)?.similarity;
};

/** Creates the record of a request whose spans are kept. */
export const requestRecord = (
  { place, startedAt, events, exchange: { request, url = request.path, route, traceId } }: RequestTrace,
  { at, exchange, response }: RequestEnd,
): RequestRecord => ({
  kind: 'request',
  place,
  spanName: findSpanName(request.headers),
  method: request.method,
  scheme: clientScheme(request.headers),
  path: toPath(url),
  endpoint: toEndpoint(route),
  gatewayTraceId: traceId,
  startedAt,
  endedAt: at,
  status: response.status,
  cause: response.cause ?? null,
  plan: exchange.plan?.label ?? null,
  cacheStatus: response.leaf?.cache ?? null,
  cacheSimilarity: findSimilarity(exchange, response) ?? null,
  events,
});
