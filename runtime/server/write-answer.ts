import type { ServerResponse } from 'node:http';
import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import { answerHeaders } from './answer-headers.ts';
import type { HttpExchange } from './http-exchange.ts';
import { ResponseSink } from './response-sink.ts';

/** Sends an answer; a streamed body goes on sending itself. `closing`: the connection ends with it. */
export const writeAnswer = (
  to: ServerResponse,
  exchange: HttpExchange,
  { response, closing }: { readonly response: GatewayResponse; readonly closing: boolean },
): void => {
  const { body, status } = response;
  const headers = answerHeaders(response, exchange);
  if (closing) headers.push('connection', 'close');
  // A passed-through answer has the date its provider gave it, or none.
  if (response.origin === 'upstream' && exchange.route.operation === 'opaque') to.sendDate = false;
  to.writeHead(status, headers);
  if (body.kind === 'bytes') {
    // Head and body leave in one write.
    to.end(body.bytes);
    return;
  }
  const sink = new ResponseSink(to);
  body.start(sink);
  if (!sink.started) to.flushHeaders();
};
