import { type BodyBounds, collectBody, goOn, type Received } from './collect-body.ts';
import type { Connection } from './connection.ts';
import type { HttpExchange } from './http-exchange.ts';

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * Takes a request's body in: whole for a modelled operation, as a stream for one that is passed through. Calls
 * back with the `GatewayError`s `body-too-large` and `overloaded`.
 */
export const receiveBody = (exchange: HttpExchange, bounds: BodyBounds, received: Received): void => {
  const { caller, route, connection } = exchange;
  const isNone = !caller.chunked && caller.contentLength === undefined;
  if (connection === undefined || isNone) received();
  else if (route.operation !== 'opaque' || caller.contentLength === 0)
    collectBody(exchange, connection, { bounds, received });
  else {
    goOn(exchange, connection);
    exchange.request.body = { kind: 'stream', stream: connection.request };
    received();
  }
};

/** The connection of a request whose body streams through and could be read by a plan with conditions on it. */
const readable = ({ request, caller, connection }: HttpExchange): Connection | undefined =>
  request.body.kind === 'stream' && isJson.test(caller.contentType ?? '') ? connection : undefined;

/** Takes a body that streams through in whole after all, where it is one that can be read. */
export const receiveReadable = (exchange: HttpExchange, bounds: BodyBounds): Promise<void> | undefined => {
  const connection = readable(exchange);
  if (connection === undefined) return undefined;
  exchange.request.body = { kind: 'none' };
  return new Promise((resolve, reject) => {
    const received: Received = (error) => (error === undefined ? resolve() : reject(error));
    collectBody(exchange, connection, { bounds, received });
  });
};
