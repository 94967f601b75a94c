import { type BodyBounds, collectBody, goOn, type Received } from './collect-body.ts';
import type { Connection } from './connection.ts';
import { decodeBody } from './decode-body.ts';
import type { HttpExchange } from './http-exchange.ts';

/** What is called instead where a body has an encoding, which is taken off before anybody looks. */
const decoding = (exchange: HttpExchange, bounds: BodyBounds, received: Received): Received =>
  exchange.caller.contentEncoding === undefined
    ? received
    : (error) => (error === undefined ? decodeBody(exchange, bounds, received) : received(error));

/**
 * Takes a request's body in: whole for a modelled operation, as a stream for one that is passed through. Calls
 * back with the `GatewayError`s of `collectBody` and `decodeBody`.
 */
export const receiveBody = (exchange: HttpExchange, bounds: BodyBounds, received: Received): void => {
  const { caller, route, connection } = exchange;
  const isNone = !caller.chunked && caller.contentLength === undefined;
  if (connection === undefined && route.operation !== 'opaque') decodeBody(exchange, bounds, received);
  else if (connection === undefined || isNone) received();
  else if (route.operation !== 'opaque' || caller.contentLength === 0)
    collectBody(exchange, connection, { bounds, received: decoding(exchange, bounds, received) });
  else {
    goOn(exchange, connection);
    exchange.request.body = { kind: 'stream', stream: connection.request };
    received();
  }
};

/** Takes a body that is passed through in whole after all. */
export const receiveWhole = (exchange: HttpExchange, connection: Connection, bounds: BodyBounds): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle: Received = (error) => (error === undefined ? resolve() : reject(error));
    const received = decoding(exchange, bounds, settle);
    exchange.request.body = { kind: 'none' };
    collectBody(exchange, connection, { bounds, received });
  });
