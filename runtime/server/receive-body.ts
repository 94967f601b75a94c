import { type BodyBounds, type Connection, collectBody, goOn, type Received } from './collect-body.ts';
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

/** Whether a plan with conditions on the body could read this one, which is passed through. */
export const isReadable = ({ request, caller }: HttpExchange): boolean =>
  request.body.kind === 'stream' && isJson.test(caller.contentType ?? '');

/** Takes a body that is passed through in whole after all. */
export const receiveWhole = (exchange: HttpExchange, connection: Connection, bounds: BodyBounds): Promise<void> =>
  new Promise((resolve, reject) => {
    const received: Received = (error) => (error === undefined ? resolve() : reject(error));
    exchange.request.body = { kind: 'none' };
    collectBody(exchange, connection, { bounds, received });
  });
