import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { spliceParams } from '../../json-bodies/edit/splice-params.ts';
import type { Connection } from '../exchange/connection.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import { type BodyBounds, collectBody, type Received, sendContinue } from './collect-body.ts';
import { decodeBody } from './decode-body.ts';

/**
 * Writes the model that the path names into a JSON body. A body that is not an object is left unchanged, to be refused where it
 * is read.
 */
const withPathModel = ({ request, route: { bodyModel: model } }: HttpExchange): void => {
  const { body } = request;
  if (model === undefined || body.kind !== 'bytes' || parseObject(toBuffer(body.bytes).toString()) === undefined)
    return;
  request.body = { kind: 'bytes', bytes: spliceParams(body.bytes, { model }) };
};

/** Returns a callback for a body that may be encoded: it is decoded first. */
const decoding = (exchange: HttpExchange, bounds: BodyBounds, received: Received): Received =>
  exchange.caller.contentEncoding === undefined
    ? received
    : (error) => (error === undefined ? decodeBody(exchange, bounds, received) : received(error));

/** Returns a callback for a body that first gets the model of its path. */
const naming = (exchange: HttpExchange, received: Received): Received =>
  exchange.route.bodyModel === undefined
    ? received
    : (error) => {
        if (error === undefined) withPathModel(exchange);
        received(error);
      };

/** Streams the bytes of a body to whoever reads them, once. */
const streamBody = (exchange: HttpExchange): void => {
  const { caller, connection } = exchange;
  if (connection === undefined || !caller.hasBody) return;
  sendContinue(exchange, connection);
  exchange.request.body = { kind: 'stream', stream: connection.request };
};

/** Does the same for a body that the gateway itself reads until its end. */
export const streamOwnBody = (exchange: HttpExchange): void => {
  streamBody(exchange);
  const { connection, labels, request } = exchange;
  if (connection === undefined || request.body.kind !== 'stream') return;
  const endWait = labels.waits?.begin();
  if (endWait !== undefined) connection.request.once('end', endWait).once('close', endWait);
};

/**
 * Receives a request's body: whole for a modelled operation, as a stream for one that is passed through. Calls back with the
 * `GatewayError`s of `collectBody` and `decodeBody`.
 */
export const receiveBody = (exchange: HttpExchange, bounds: BodyBounds, then: Received): void => {
  const received = naming(exchange, then);
  const { caller, route, connection } = exchange;
  const isNone = !caller.chunked && caller.contentLength === undefined;
  if (connection === undefined && route.operation !== 'opaque') decodeBody(exchange, bounds, received);
  else if (connection === undefined || isNone) received();
  else if (route.operation !== 'opaque' || caller.contentLength === 0)
    collectBody(exchange, connection, { bounds, received: decoding(exchange, bounds, received) });
  else {
    streamBody(exchange);
    received();
  }
};

/**
 * Receives a whole body, decoded, whatever happens to it afterwards. Rejects with the `GatewayError`s of `collectBody` and
 * `decodeBody`.
 */
export const receiveAll = async (exchange: HttpExchange, bounds: BodyBounds): Promise<void> => {
  const { connection } = exchange;
  if (connection !== undefined) return receiveWhole(exchange, connection, bounds);
  await new Promise<void>((resolve, reject) =>
    decodeBody(exchange, bounds, (error) => (error === undefined ? resolve() : reject(error))),
  );
};

/** Buffers a passed-through body. */
export const receiveWhole = (exchange: HttpExchange, connection: Connection, bounds: BodyBounds): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle: Received = (error) => (error === undefined ? resolve() : reject(error));
    const received = decoding(exchange, bounds, settle);
    exchange.request.body = { kind: 'none' };
    collectBody(exchange, connection, { bounds, received });
  });
