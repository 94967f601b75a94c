import { PassThrough } from 'node:stream';
import type { GatewayError } from '../../../schema/errors/errors.ts';
import { isEditable } from '../../engine/call/edit-opaque.ts';
import type { ServedPlan } from '../../file-plans/served-plan.ts';
import { beginsObject } from '../../json-bodies/read/begins-object.ts';
import type { Connection } from '../exchange/connection.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { BodyBounds } from './collect-body.ts';
import { receiveWhole } from './receive-body.ts';
import { untilDeadline } from './until-deadline.ts';

const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * Reads the beginning of a body of another type, because providers accept JSON with any type. A body that begins like an object
 * is buffered, any other is streamed.
 */
const receiveIfObject = (exchange: HttpExchange, connection: Connection, bounds: BodyBounds): Promise<void> =>
  new Promise((resolve, reject) => {
    const { request } = connection;
    const endWait = exchange.labels.waits?.begin();
    let first: Buffer | undefined;
    const goOn = (begin: Buffer): void => {
      if (beginsObject(begin)) {
        request.unshift(begin);
        receiveWhole(exchange, connection, bounds).then(resolve, reject);
        request.resume();
        return;
      }
      // A new stream, because one that was read from counts as sent.
      const stream = new PassThrough();
      stream.write(begin);
      request.on('error', (error) => stream.destroy(error)).pipe(stream);
      exchange.request.body = { kind: 'stream', stream };
      resolve();
    };
    const received = untilDeadline<GatewayError>(exchange, bounds, {
      received: (error) => {
        request.off('data', take).off('end', over).off('error', over);
        endWait?.();
        if (error !== undefined) reject(error);
        else if (first === undefined) resolve();
        else goOn(first);
      },
      // The rest is read and discarded, so that the client receives the answer.
      leave: () => void request.off('data', take).off('end', over).resume(),
    });
    const over = (): void => received();
    const take = (chunk: Buffer): void => {
      first = chunk;
      request.pause();
      received();
    };
    request.once('end', over).once('error', over).once('data', take);
  });

/** Buffers a passed-through JSON body before a plan is chosen, because it may name the provider. */
export const receiveReadable = (exchange: HttpExchange, bounds: BodyBounds): Promise<void> | undefined => {
  const { request, caller, connection } = exchange;
  if (request.body.kind !== 'stream' || connection === undefined || !isJson.test(caller.contentType ?? ''))
    return undefined;
  return receiveWhole(exchange, connection, bounds);
};

export interface PlanReading {
  readonly plan: ServedPlan;
  readonly bounds: BodyBounds;
  /** Whether a list of models, or limits, need to know the models that requests name. */
  readonly readsModels: boolean;
}

/**
 * Buffers a passed-through body if its plan reads or edits it: a JSON body for conditions on params, and anything that may be a
 * JSON object for overrides and limits. Undefined if the body is streamed. Rejects with the `GatewayError`s of `receiveWhole`.
 */
export const receiveForPlan = (
  exchange: HttpExchange,
  connection: Connection,
  { plan, bounds, readsModels }: PlanReading,
): Promise<void> | undefined => {
  const { request, caller } = exchange;
  if (request.body.kind !== 'stream') return undefined;
  const needsObject = (plan.editsParams || readsModels) && isEditable(request.method);
  if (!needsObject && !plan.linked.plan.readsParams) return undefined;
  if (isJson.test(caller.contentType ?? '')) return receiveWhole(exchange, connection, bounds);
  if (!needsObject) return undefined;
  return caller.contentEncoding === undefined
    ? receiveIfObject(exchange, connection, bounds)
    : receiveWhole(exchange, connection, bounds);
};
