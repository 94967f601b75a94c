import type { IncomingMessage, ServerResponse } from 'node:http';
import { gatewayError } from '../../schema/errors.ts';
import type { Admission } from './admission.ts';
import type { HttpExchange } from './http-exchange.ts';

/** The connection that an exchange came on. */
export interface Connection {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface BodyBounds {
  readonly admission: Admission;
  /** Bytes of one body that is taken in whole. */
  readonly bodyBytes: number;
}

const nothing: Buffer = Buffer.alloc(0);

/** Takes room for bytes of a body. Throws the `GatewayError`s `body-too-large` and `overloaded`. */
const hold = (exchange: HttpExchange, bytes: number, { admission, bodyBytes }: BodyBounds): void => {
  if (exchange.heldBytes + bytes > bodyBytes) throw gatewayError('body-too-large', { limit: bodyBytes });
  if (!admission.take(bytes)) throw gatewayError('overloaded', {});
  exchange.heldBytes += bytes;
};

/** A client that waits for `100 Continue` is told to go on, once. */
export const goOn = ({ caller }: HttpExchange, { response }: Connection): void => {
  if (!caller.expectsContinue) return;
  caller.expectsContinue = false;
  response.writeContinue();
};

/**
 * The whole body of a request; `undefined` where the client broke off. A body of known length takes its room before it
 * is read, and before the client is told to send it; the room is given back with the exchange. Rejects with the
 * `GatewayError`s `body-too-large` and `overloaded`.
 */
export const collectBody = async (
  exchange: HttpExchange,
  connection: Connection,
  bounds: BodyBounds,
): Promise<Buffer | undefined> => {
  const known = exchange.caller.contentLength;
  if (known !== undefined) hold(exchange, known, bounds);
  goOn(exchange, connection);
  const { request } = connection;
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let more: Buffer[] | undefined;
    const keep = (chunk: Buffer): void => {
      if (known === undefined) hold(exchange, chunk.length, bounds);
      if (first === undefined) first = chunk;
      else if (more === undefined) more = [first, chunk];
      else more.push(chunk);
    };
    const take = (chunk: Buffer): void => {
      try {
        keep(chunk);
      } catch (error) {
        // What still comes is read and forgotten, so that the client gets to see the answer.
        request.off('data', take).resume();
        reject(error);
      }
    };
    request.on('data', take);
    request.on('end', () => resolve(more === undefined ? (first ?? nothing) : Buffer.concat(more)));
    request.on('error', () => resolve(undefined));
  });
};
