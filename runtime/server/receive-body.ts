import { type BodyBounds, type Connection, collectBody, goOn } from './collect-body.ts';
import type { HttpExchange } from './http-exchange.ts';

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * Takes a request's body in: whole for a modelled operation, as a stream for one that is passed through. Rejects with
 * the `GatewayError`s `body-too-large` and `overloaded`. A promise only where the body has yet to come.
 */
export const receiveBody = (exchange: HttpExchange, bounds: BodyBounds): Promise<void> | undefined => {
  const { caller, route, connection } = exchange;
  const isNone = !caller.chunked && caller.contentLength === undefined;
  if (connection === undefined || isNone) return undefined;
  if (route.operation !== 'opaque' || caller.contentLength === 0) return collectBody(exchange, connection, bounds);
  goOn(exchange, connection);
  exchange.request.body = { kind: 'stream', stream: connection.request };
  return undefined;
};

/** The connection of a request whose body streams through and could be read by a plan with conditions on it. */
const readable = ({ request, caller, connection }: HttpExchange): Connection | undefined =>
  request.body.kind === 'stream' && isJson.test(caller.contentType ?? '') ? connection : undefined;

/** Takes a body that streams through in whole after all, where it is one that can be read. */
export const receiveReadable = (exchange: HttpExchange, bounds: BodyBounds): Promise<void> | undefined => {
  const connection = readable(exchange);
  if (connection === undefined) return undefined;
  exchange.request.body = { kind: 'none' };
  return collectBody(exchange, connection, bounds);
};
