import type { Socket } from 'node:net';
import { errorReport } from '../../schema/errors.ts';
import { canAnswer, currentAnswer } from './current-answer.ts';
import { endWithError } from './raw-error.ts';

/** The client is the one who keeps the other waiting: it sends nothing of its body, or takes nothing of its answer. */
const isClientsTurn = (socket: Socket): boolean => {
  const answer = currentAnswer(socket);
  if (answer === undefined || socket.writableLength > 0) return true;
  const { req } = answer;
  // A body that waits to be read, or is paused, waits for its provider.
  return !req.complete && req.readableLength === 0 && !req.isPaused();
};

/**
 * A connection on which nothing has moved for a while: ended where that is the client's doing, with an answer where a
 * request has begun.
 */
export const endStalled = (socket: Socket): void => {
  if (!isClientsTurn(socket)) return;
  if (currentAnswer(socket) !== undefined && canAnswer(socket))
    endWithError(socket, errorReport('request-stalled', {}));
  else socket.destroy();
};
