import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answer that a connection is sending, as node:http records it. */
export const currentAnswer = (
  socket: Duplex & { readonly _httpMessage?: ServerResponse | null },
): ServerResponse | undefined => socket._httpMessage ?? undefined;

/**
 * Whether an error may be written to a connection now: it has no current answer, or one that has not begun, to a request
 * that is still arriving.
 */
export const canAnswer = (socket: Duplex): boolean => {
  const answer = currentAnswer(socket);
  return socket.writable && (answer === undefined || (!answer.headersSent && !answer.req.complete));
};

/** Whether a connection ends with an answer, as node:http records it: by a header that was written, or by what is to be written. */
export const endsConnection = (answer: ServerResponse & { readonly _last?: boolean }): boolean =>
  answer._last === true || !answer.shouldKeepAlive;
