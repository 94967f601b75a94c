import { holdChunk } from '../../../plugins/sdk/http/hold-chunk.ts';
import { type GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Connection, ServerRequest } from '../exchange/connection.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import { joinChunks } from './join-chunks.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { untilDeadline } from './until-deadline.ts';

export interface BodyBounds {
  readonly memoryBudget: MemoryBudget;
  /** The largest buffered body, in bytes. */
  readonly bodyBytes: number;
  /** If absent, the deadline of a request does not end the wait for its body. */
  readonly clock?: Pick<Clock, 'after' | 'monotonic'>;
}

/** Called once: the body has been received, or the error says why not. */
export type Received = (error?: GatewayError) => void;

const nothing: Buffer = Buffer.alloc(0);

/** Returns why a body with this many further bytes cannot be received. */
const announcedRefusal = (
  exchange: HttpExchange,
  bytes: number,
  { memoryBudget, bodyBytes }: BodyBounds,
): GatewayError | undefined => {
  if (bytes > bodyBytes) return gatewayError('body-too-large', { limit: bodyBytes });
  return memoryBudget.hasRoom(bytes, exchange) ? undefined : gatewayError('overloaded', {});
};

/** Reserves memory for further bytes of a body. Returns an error if there is none, or if they make the body too large. */
export const reserveForBody = (
  exchange: HttpExchange,
  bytes: number,
  { memoryBudget, bodyBytes }: BodyBounds,
): GatewayError | undefined => {
  if (exchange.heldBytes + bytes > bodyBytes) return gatewayError('body-too-large', { limit: bodyBytes });
  return memoryBudget.take(bytes, exchange) ? undefined : gatewayError('overloaded', {});
};

/** Sends `100 Continue` once if the client waits for it. A client of HTTP/1.0 would take it for the answer (RFC 9110 §10.1.1). */
export const sendContinue = ({ caller }: HttpExchange, { request, response }: Connection): void => {
  if (!caller.expectsContinue) return;
  caller.expectsContinue = false;
  if (request.httpVersion !== '1.0') response.writeContinue();
};

const endingWait =
  (end: () => void, received: Received): Received =>
  (error) => {
    end();
    received(error);
  };

/** Returns a callback that ends the wait for a client's body. */
const afterWait = ({ labels }: HttpExchange, received: Received): Received => {
  const end = labels.waits?.begin();
  return end === undefined ? received : endingWait(end, received);
};

const listen = (exchange: HttpExchange, request: ServerRequest, bounds: BodyBounds, then: Received): void => {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  // The rest is read and discarded, so that the client receives the answer.
  const leave = (): void => void request.off('data', take).off('end', end).off('error', lose).resume();
  const take = (chunk: Buffer): void => {
    const refused = reserveForBody(exchange, chunk.length, bounds);
    if (refused !== undefined) {
      leave();
      received(refused);
    } else if (first === undefined) first = chunk;
    else if (more === undefined) more = [first, chunk];
    else holdChunk(more, chunk);
  };
  const end = (): void => {
    exchange.request.body = { kind: 'bytes', bytes: more === undefined ? (first ?? nothing) : joinChunks(more) };
    received();
  };
  // The client has disconnected, so the body stays empty.
  const lose = (): void => received();
  const received = untilDeadline<GatewayError>(exchange, bounds, { received: then, leave });
  request.on('data', take);
  request.on('end', end);
  request.on('error', lose);
};

/**
 * Reads the whole body of a request into its exchange. A body of known length is refused before it is read, and before the client
 * is asked to send it. But memory is reserved for received bytes, not for announced ones, so a client holds no more than it
 * sends. The memory is released with the exchange. Calls back with the `GatewayError` `body-too-large`, `overloaded` or
 * `deadline-exceeded`. It takes a callback instead of returning a promise, because every request runs it.
 */
export const collectBody = (
  exchange: HttpExchange,
  connection: Connection,
  { bounds, received }: { readonly bounds: BodyBounds; readonly received: Received },
): void => {
  // The exchange is over and has released its memory. Memory reserved now would never be released.
  if (exchange.cancellation.cancelled) {
    received();
    return;
  }
  const known = exchange.caller.contentLength;
  const refused = known === undefined ? undefined : announcedRefusal(exchange, known, bounds);
  if (refused !== undefined) {
    received(refused);
    return;
  }
  sendContinue(exchange, connection);
  listen(exchange, connection.request, bounds, afterWait(exchange, received));
};
