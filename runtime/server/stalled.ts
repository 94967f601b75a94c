import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** node:http keeps the answer that a connection is at there. */
type Connection = Socket & { readonly _httpMessage?: ServerResponse | null };

/** The client is the one who keeps the other waiting: it sends nothing of its body, or takes nothing of its answer. */
const isClientsTurn = (socket: Connection): boolean => {
  const { _httpMessage: answer } = socket;
  if (answer == null || socket.writableLength > 0) return true;
  const { req } = answer;
  // A body that waits to be read, or is paused, waits for its provider.
  return !req.complete && req.readableLength === 0 && !req.isPaused();
};

/** A connection on which nothing has moved for a while: ended where that is the client's doing. */
export const endStalled = (socket: Socket): void => {
  if (isClientsTurn(socket)) socket.destroy();
};
