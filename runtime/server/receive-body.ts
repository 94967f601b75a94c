import { type BodyBounds, type Connection, collectBody, goOn } from './collect-body.ts';
import type { HttpExchange } from './http-exchange.ts';

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;

const takeWhole = async (exchange: HttpExchange, connection: Connection, bounds: BodyBounds): Promise<void> => {
  const bytes = await collectBody(exchange, connection, bounds);
  // Nobody is there any more; whatever looks at the body sees none.
  exchange.request.body = bytes === undefined ? { kind: 'none' } : { kind: 'bytes', bytes };
};

/** Takes a request's body in: whole for a modelled operation, as a stream for one that is passed through. */
export const receiveBody = async (
  exchange: HttpExchange,
  connection: Connection,
  bounds: BodyBounds,
): Promise<void> => {
  const { caller, route } = exchange;
  if (!caller.chunked && caller.contentLength === undefined) return;
  if (route.operation !== 'opaque' || caller.contentLength === 0) return takeWhole(exchange, connection, bounds);
  goOn(exchange, connection);
  exchange.request.body = { kind: 'stream', stream: connection.request };
};

/** A passed-through JSON body is taken in whole after all, where the plan has conditions on it. */
export const receiveForConditions = async (
  exchange: HttpExchange,
  connection: Connection,
  bounds: BodyBounds,
): Promise<void> => {
  if (exchange.request.body.kind === 'stream' && isJson.test(exchange.caller.contentType ?? ''))
    await takeWhole(exchange, connection, bounds);
};
