import type { SendableForm } from '../../../plugins/sdk/http/http.ts';
import { formBoundary } from '../../../plugins/sdk/multipart/form-boundary.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { countWait } from '../../engine/call/request-waits.ts';
import { type BodyBounds, sendContinue } from '../body/collect-body.ts';
import { receiveWhole } from '../body/receive-body.ts';
import { untilDeadline } from '../body/until-deadline.ts';
import type { Connection } from '../exchange/connection.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import { type FormSource, memorySource } from './form-source.ts';
import { readParts } from './read-parts.ts';
import { ReceivedForm } from './received-form.ts';
import type { Spool } from './spool.ts';

export interface FormBounds extends BodyBounds {
  /** Stores forms that are too large for memory. If absent, they are refused. */
  readonly spool?: Spool | undefined;
}

/** Whether a form is too large for memory, or may be: one of unknown length may have any length. */
const isSpooled = ({ caller }: HttpExchange, { bodyBytes }: BodyBounds): boolean =>
  caller.contentEncoding === undefined && (caller.contentLength ?? Number.POSITIVE_INFINITY) > bodyBytes;

/** Returns the form with the model that the path names. */
const withPathModel = (form: SendableForm, { route: { bodyModel: model } }: HttpExchange): SendableForm =>
  model === undefined ? form : form.withFields({ ...form.fields, model });

interface Arriving {
  readonly boundary: string;
  readonly source: FormSource;
  /** All of its bytes, readable once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

const take = async (exchange: HttpExchange, { boundary, source, bytes }: Arriving): Promise<void> => {
  const { contentType = '' } = exchange.caller;
  const parts = await readParts(bytes, boundary);
  const form = withPathModel(new ReceivedForm({ contentType, boundary, parts, source }), exchange);
  exchange.take({ kind: 'form', form }, () => form.fields);
};

interface Spooling {
  readonly boundary: string;
  readonly spool: Spool;
  readonly bounds: FormBounds;
}

/** Reads a form while it is written to a file, which is closed when the exchange is over. */
const receiveSpooled = async (
  exchange: HttpExchange,
  connection: Connection,
  { boundary, spool, bounds }: Spooling,
): Promise<void> => {
  if ((exchange.caller.contentLength ?? 0) > spool.formBytes)
    throw gatewayError('form-too-large', { limit: spool.formBytes });
  const { file, write, close } = await spool.open(exchange.principal);
  exchange.whenOver(close);
  if (exchange.cancellation.cancelled) return;
  sendContinue(exchange, connection);
  const { request } = connection;
  let isLeft = false;
  const written = async function* () {
    // Otherwise, the rest of the request could not be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (isLeft) return;
      await write(chunk);
      yield chunk;
    }
  };
  const read = async (): Promise<void> => {
    try {
      await take(exchange, { boundary, source: file, bytes: written() });
    } catch (error) {
      request.resume();
      // Its client has disconnected, and the file is closed.
      if (!exchange.cancellation.cancelled) throw error;
    }
  };
  await countWait(
    exchange,
    () =>
      new Promise<void>((resolve, reject) => {
        const received = untilDeadline<Error>(exchange, bounds, {
          received: (error) => (error === undefined ? resolve() : reject(error)),
          leave: () => {
            isLeft = true;
          },
        });
        read().then(() => received(), received);
      }),
  );
};

/**
 * Receives a form that is not passed through: in memory, or in a file if it is too large for that. Rejects with the
 * `GatewayError`s of `receiveWhole`, `malformed-upload`, `form-too-large`, `spool-failed` and `deadline-exceeded`.
 */
export const receiveSendableForm = async (exchange: HttpExchange, bounds: FormBounds): Promise<void> => {
  const { caller, connection } = exchange;
  const boundary = formBoundary(caller.contentType);
  const { spool } = bounds;
  if (connection !== undefined && isSpooled(exchange, bounds)) {
    if (spool !== undefined) return await receiveSpooled(exchange, connection, { boundary, spool, bounds });
    if ((caller.contentLength ?? 0) > bounds.bodyBytes)
      throw gatewayError('form-not-spooled', { limit: bounds.bodyBytes });
  }
  if (connection !== undefined) await receiveWhole(exchange, connection, bounds);
  const { body } = exchange.request;
  if (exchange.cancellation.cancelled) return;
  const bytes = body.kind === 'bytes' ? body.bytes : new Uint8Array();
  const source = memorySource(bytes);
  await take(exchange, { boundary, source, bytes: source.read(0, bytes.length) });
};
