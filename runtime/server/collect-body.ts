import type { IncomingMessage } from 'node:http';
import { type GatewayError, gatewayError } from '../../schema/errors.ts';
import type { Connection } from './connection.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { MemoryBudget } from './memory-budget.ts';

export interface BodyBounds {
  readonly memoryBudget: MemoryBudget;
  /** Bytes of one body that is taken in whole. */
  readonly bodyBytes: number;
}

/** Called once: the body is in its exchange, or why not. */
export type Received = (error?: GatewayError) => void;

const nothing: Buffer = Buffer.alloc(0);

/** Why a body of so many more bytes cannot come in. */
const announcedRefusal = (bytes: number, { memoryBudget, bodyBytes }: BodyBounds): GatewayError | undefined => {
  if (bytes > bodyBytes) return gatewayError('body-too-large', { limit: bodyBytes });
  return memoryBudget.hasRoom(bytes) ? undefined : gatewayError('overloaded', {});
};

/** Takes room for bytes of a body; gives why there is none. */
const refusal = (
  exchange: HttpExchange,
  bytes: number,
  { memoryBudget, bodyBytes }: BodyBounds,
): GatewayError | undefined => {
  if (exchange.heldBytes + bytes > bodyBytes) return gatewayError('body-too-large', { limit: bodyBytes });
  if (!memoryBudget.take(bytes)) return gatewayError('overloaded', {});
  exchange.heldBytes += bytes;
  return undefined;
};

/** A client that waits for `100 Continue` is told to go on, once. */
export const goOn = ({ caller }: HttpExchange, { response }: Connection): void => {
  if (!caller.expectsContinue) return;
  caller.expectsContinue = false;
  response.writeContinue();
};

const listen = (exchange: HttpExchange, request: IncomingMessage, bounds: BodyBounds, received: Received): void => {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  const take = (chunk: Buffer): void => {
    const refused = refusal(exchange, chunk.length, bounds);
    if (refused !== undefined) {
      // What still comes is read and forgotten, so that the client gets to see the answer.
      request.off('data', take).off('end', end).resume();
      received(refused);
    } else if (first === undefined) first = chunk;
    else if (more === undefined) more = [first, chunk];
    else more.push(chunk);
  };
  const end = (): void => {
    exchange.request.body = { kind: 'bytes', bytes: more === undefined ? (first ?? nothing) : Buffer.concat(more) };
    received();
  };
  request.on('data', take);
  request.on('end', end);
  // The client is gone: whatever looks at the body sees none.
  request.on('error', () => received());
};

/**
 * Takes the whole body of a request into its exchange. A body of known length is refused before it is read, and before
 * the client is told to send it; but room is taken for what has come and not for what was announced, so that a client
 * holds no more than it sends. The room is given back with the exchange. Calls back with the `GatewayError`s
 * `body-too-large` and `overloaded`. A callback and no promise, because this is on the way of every request.
 */
export const collectBody = (
  exchange: HttpExchange,
  connection: Connection,
  { bounds, received }: { readonly bounds: BodyBounds; readonly received: Received },
): void => {
  // The room of an exchange that is over has been given back, and nobody would give this back.
  if (exchange.cancellation.cancelled) {
    received();
    return;
  }
  const known = exchange.caller.contentLength;
  const refused = known === undefined ? undefined : announcedRefusal(known, bounds);
  if (refused !== undefined) {
    received(refused);
    return;
  }
  goOn(exchange, connection);
  listen(exchange, connection.request, bounds, received);
};
