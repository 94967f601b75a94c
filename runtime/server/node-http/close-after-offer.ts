import type { IncomingMessage } from 'node:http';
import type { NodeRequestListener } from './request-listener.ts';

/** Whether a request offers another protocol. */
const offersUpgrade = ({ rawHeaders }: IncomingMessage): boolean => {
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 7 && rawHeaders[at]?.toLowerCase() === 'upgrade') return true;
  return false;
};

/**
 * Ends a connection with the answer to an offer of another protocol, which is ignored or refused. Node's parser drops what
 * came behind it in one packet, so that the next bytes could be in the middle of a request.
 */
export const closeAfterOffer =
  (listener: NodeRequestListener): NodeRequestListener =>
  (request, response) => {
    if (offersUpgrade(request)) response.shouldKeepAlive = false;
    listener(request, response);
  };
