import { type GatewayResponse, headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { discard } from '../../engine/responses/discard.ts';
import type { ServerAnswer } from '../exchange/connection.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { AnswerBatch } from './answer-batch.ts';
import { answerHeaders } from './answer-headers.ts';
import { plainErrorText } from './plain-error-text.ts';
import { ResponseSink } from './response-sink.ts';

/** Returns false if a plugin made a status or a header that HTTP does not allow. */
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
  to.writeHead(report.status, ['content-type', 'application/json', 'x-gw-trace-id', traceId]);
  to.end(plainErrorText(report));
};

/** Whether a client keeps trailer fields: https://www.rfc-editor.org/rfc/rfc9110#name-te */
const takesTrailers = (headers: RawHeaders): boolean =>
  headerValue(headers, 'te')
    ?.split(',')
    .some((coding) => coding.trim().toLowerCase() === 'trailers') === true;

export interface WrittenAnswer {
  readonly response: GatewayResponse;
  /** Whether the connection ends with it. */
  readonly closing: boolean;
  /** Sends those that are whole. */
  readonly batch: AnswerBatch;
}

/** Sends an answer; a streamed body continues on its own. */
export const writeAnswer = (
  to: ServerAnswer,
  exchange: HttpExchange,
  { response, closing, batch }: WrittenAnswer,
): void => {
  const { body, status } = response;
  const headers = answerHeaders(response, exchange);
  const { handover } = response;
  const hasTrailers = handover !== undefined && to.req.httpVersion !== '1.0' && takesTrailers(exchange.request.headers);
  if (hasTrailers) headers.push('trailer', handover.trailer);
  if (closing) headers.push('connection', 'close');
  // A passed-through answer keeps its provider's date, or has none.
  if (response.origin === 'upstream' && exchange.route.operation === 'opaque') to.sendDate = false;
  if (!wroteHead(to, status, headers)) {
    discard(response);
    writeUnsayable(to, exchange);
    return;
  }
  if (body.kind === 'bytes') {
    batch.end(to, body.bytes);
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
