import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Returns the answer that a connection is sending, as recorded by node:http. */
export const currentAnswer = (
  socket: Duplex & { readonly _httpMessage?: ServerResponse | null },
): ServerResponse | undefined => socket._httpMessage ?? undefined;

/**
 * Whether an error may be written to a connection now: it has no current answer, or one that has not begun, to a request that is
 * still arriving.
 */
export const canAnswer = (socket: Duplex): boolean => {
  const answer = currentAnswer(socket);
  return socket.writable && (answer === undefined || (!answer.headersSent && !answer.req.complete));
};

/**
 * Whether a connection ends with an answer, as recorded by node:http: because of a header that was written, or one that will be.
 */
export const endsConnection = (answer: ServerResponse & { readonly _last?: boolean }): boolean =>
  answer._last === true || !answer.shouldKeepAlive;
