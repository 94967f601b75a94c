import type { IncomingMessage } from 'node:http';
import type { NodeRequestListener } from './request-listener.ts';

/** Whether a request has a header line with this name, which is in lower case. */
const hasLine = ({ rawHeaders }: IncomingMessage, name: string): boolean => {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) return true;
  return false;
};

/**
 * Whether it is doubtful where the next request begins. If a request offers another protocol, Node's parser drops what came
 * behind it in one packet, so that the next bytes could be in the middle of a request. HTTP/1.0 has no chunks, and an
 * intermediary that forwarded them may have read them differently (RFC 9112 §6.1).
 */
const isDoubtful = (request: IncomingMessage): boolean =>
  hasLine(request, 'upgrade') || (request.httpVersion === '1.0' && hasLine(request, 'transfer-encoding'));

/** Ends a connection with the answer to a request if it is doubtful where the next one begins. */
export const closeAfterDoubtful =
  (listener: NodeRequestListener): NodeRequestListener =>
  (request, response) => {
    if (isDoubtful(request)) response.shouldKeepAlive = false;
    listener(request, response);
  };
