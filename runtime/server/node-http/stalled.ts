import type { Socket } from 'node:net';
import { errorReport } from '../../../schema/errors/errors.ts';
import { endWithError } from '../../http/answer/raw-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { canAnswer, currentAnswer } from './current-answer.ts';

/** Returns how many bytes have passed through a socket. Bytes that still wait to be written do not count. */
export const bytesMoved = (socket: Socket): number => socket.bytesRead + socket.bytesWritten - socket.writableLength;

/** Whether the other side waits for the client: it sends nothing of its body, or takes nothing of its answer. */
export const isClientsTurn = (socket: Socket): boolean => {
  const answer = currentAnswer(socket);
  if (answer === undefined || socket.writableLength > 0) return true;
  const { req } = answer;
  // A body that waits to be read, or is paused, waits for its provider. node:http considers a body that is iterated over as
  // paused, and its reader waits while there is nothing to read.
  const isPaused = req.isPaused() && req.listenerCount('readable') === 0;
  return !req.complete && req.readableLength === 0 && !isPaused;
};

/** Ends a connection whose client has stalled, with an answer if a request has begun. */
export const endStalled = (socket: Socket, clock: Pick<Clock, 'after'>): void => {
  if (currentAnswer(socket) !== undefined && canAnswer(socket))
    endWithError(socket, errorReport('request-stalled', {}), clock);
  else socket.destroy();
};
