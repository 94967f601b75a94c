import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answer that a connection is at. node:http keeps it there. */
export const currentAnswer = (
  socket: Duplex & { readonly _httpMessage?: ServerResponse | null },
): ServerResponse | undefined => socket._httpMessage ?? undefined;

/**
 * Whether an error may be written to a connection as it is: it is at no answer, or at one that has not begun, to the
 * request that is still coming in.
 */
export const canAnswer = (socket: Duplex): boolean => {
  const answer = currentAnswer(socket);
  return socket.writable && (answer === undefined || (!answer.headersSent && !answer.req.complete));
};
