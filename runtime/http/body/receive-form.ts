import { Readable } from 'node:stream';
import { isMultipartForm } from '../../../plugins/sdk/multipart/boundary-of.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { BodyBounds } from './collect-body.ts';
import { formModel } from './form-model.ts';
import { receiveWhole } from './receive-body.ts';

/** Whether a request has a form that is passed through. */
export const isPassedForm = ({ caller: { contentType = '' }, route, request }: HttpExchange): boolean =>
  route.operation === 'opaque' && request.body.kind !== 'none' && isMultipartForm(contentType);

/**
 * Reads which model a form that is passed through names, wherever in the form it stands, and holds all of it until then.
 * It is sent once all the same, like any form. Rejects with the `GatewayError`s of `receiveWhole` and `formModel`.
 */
export const receiveForm = async (exchange: HttpExchange, bounds: BodyBounds): Promise<void> => {
  const { caller, connection } = exchange;
  if (connection !== undefined && exchange.request.body.kind === 'stream')
    await receiveWhole(exchange, connection, bounds);
  const { body } = exchange.request;
  if (body.kind !== 'bytes') return;
  exchange.formModel = await formModel(body.bytes, caller.contentType ?? '');
  if (connection === undefined || caller.contentEncoding !== undefined) return;
  exchange.request.body = { kind: 'stream', stream: Readable.from([body.bytes], { objectMode: false }) };
};
