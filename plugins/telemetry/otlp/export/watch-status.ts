import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

interface Answered {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

/**
 * Records the status of the receiver's last answer, until the thread ends. The SDK does not report it after its retries have
 * failed, and accepts no custom transport.
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
