import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

interface Answered {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

/**
 * Notes the status that a receiver answered last, until the thread ends: the SDK keeps it to itself where it has tried again in vain, and
 * takes no transport but its own.
 */
export const watchStatus = (url: string): (() => number | undefined) => {
  const parsed = URL.parse(url);
  let last: number | undefined;
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as Answered;
    const isReceiver =
      parsed !== null &&
      request.getHeader('host') === parsed.host &&
      request.protocol === parsed.protocol &&
      request.path === `${parsed.pathname}${parsed.search}`;
    if (isReceiver) last = response.statusCode;
  });
  return () => last;
};
