import { type GatewayResponse, headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { ownReason } from '../../../schema/http/status.ts';
import { TurnBatch } from '../../async/turn-batch.ts';
import { discard } from '../../engine/error-responses/discard.ts';
import type { ServerAnswer } from '../exchange/connection.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import { answerHeaders } from './answer-headers.ts';
import { plainErrorText } from './plain-error-text.ts';
import { pieceBytes, ResponseSink } from './response-sink.ts';

/** Writes the head. Returns false if a plugin set a status or a header that HTTP does not allow. */
const wroteHead = (to: ServerAnswer, status: number, headers: string[]): boolean => {
  try {
    to.writeHead(status, headers);
    return true;
  } catch {
    return false;
  }
};

const writeUnsayable = (to: ServerAnswer, { traceId }: HttpExchange): void => {
  const report = errorReport('internal-error', {});
  const body = Buffer.from(plainErrorText(report));
  to.statusMessage = '';
  // Node would announce the length of the answer that could not be written.
  const length = ['content-length', String(body.length)];
  to.writeHead(report.status, ['content-type', 'application/json', ...length, 'x-gw-trace-id', traceId]);
  to.end(body);
};

/** Whether a client keeps trailer fields: https://www.rfc-editor.org/rfc/rfc9110#name-te */
const takesTrailers = (headers: RawHeaders): boolean =>
  headerValue(headers, 'te')
    ?.split(',')
    .some((coding) => coding.trim().toLowerCase() === 'trailers') === true;

/** An answer whose head is written, and its whole body. */
export interface WholeAnswer {
  readonly to: ServerAnswer;
  readonly bytes: Uint8Array;
}

/** Writes the pieces of an answer from an offset on, each after its client has taken the one before, and ends it. */
const writePieces = ({ to, bytes }: WholeAnswer, from: number): void => {
  for (let at = from; ; at += pieceBytes) {
    const next = at + pieceBytes;
    if (next >= bytes.length) {
      to.end(bytes.subarray(at));
      return;
    }
    if (!to.write(bytes.subarray(at, next))) {
      to.once('drain', () => endWith({ to, bytes }, next));
      return;
    }
  }
};

/** Head and body are sent in one write unless the body is large. HTTP/2 splits data itself. */
const endWith = ({ to, bytes }: WholeAnswer, from = 0): void => {
  if (to.destroyed) return;
  try {
    if (bytes.length <= pieceBytes || to.socket === undefined) to.end(bytes);
    else writePieces({ to, bytes }, from);
  } catch {
    // A bug, at a point where no error can be sent any more. The other answers are sent anyway.
    to.destroy();
  }
};

/** Sends whole answers at the end of a turn of the event loop. */
export const answerBatch = (): TurnBatch<WholeAnswer> => new TurnBatch((answer) => endWith(answer));

export interface WrittenAnswer {
  readonly response: GatewayResponse;
  /** Whether the connection ends with the answer. */
  readonly closing: boolean;
  /** Sends the whole answers. */
  readonly batch: TurnBatch<WholeAnswer>;
}

/** Sends an answer. A streamed body continues on its own. */
export const writeAnswer = (
  to: ServerAnswer,
  exchange: HttpExchange,
  { response, closing, batch }: WrittenAnswer,
): void => {
  const { body, status, toUpstream } = response;
  const headers = answerHeaders(response, exchange);
  const { handover } = response;
  const hasTrailers = handover !== undefined && to.req.httpVersion !== '1.0' && takesTrailers(exchange.request.headers);
  if (hasTrailers) headers.push('trailer', handover.trailer);
  if (toUpstream !== undefined) headers.push('connection', 'Upgrade', 'upgrade', 'websocket');
  else if (closing) headers.push('connection', 'close');
  // A passed-through answer keeps its provider's date, or has none.
  if (response.origin === 'upstream' && exchange.route.operation === 'opaque') to.sendDate = false;
  const reason = ownReason(status);
  if (reason !== undefined) to.statusMessage = reason;
  if (!wroteHead(to, status, headers)) {
    discard(response);
    writeUnsayable(to, exchange);
    return;
  }
  if (body.kind === 'bytes') {
    batch.add({ to, bytes: body.bytes });
    return;
  }
  if (toUpstream !== undefined) {
    to.openSocket?.({ body, toUpstream });
    return;
  }
  // The gateway's own events have no end, and would be written to nobody.
  if (exchange.request.method === 'HEAD' && response.origin === 'gateway') {
    body.discard();
    to.end();
    return;
  }
  const sink = new ResponseSink(to, hasTrailers);
  body.start(sink);
  if (!sink.started) to.flushHeaders();
};
