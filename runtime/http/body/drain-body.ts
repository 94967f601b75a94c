import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ServerAnswer } from '../exchange/connection.ts';

/** The maximum number of bytes that are read and discarded after an answer. */
const maxBytes = 16 * 1024 * 1024;
/** How many milliseconds a client has to finish sending after its answer. */
const maxMs = 5_000;

/**
 * Ends a connection after what was written to it. Whatever its client still sends is read and discarded, within limits: closing a
 * connection with unread bytes resets it, and the client might lose the answer (RFC 9112 §9.6).
 */
export const endAfterReading = (socket: Duplex, clock: Pick<Clock, 'after'>): void => {
  let left = maxBytes;
  const stopTimer = clock.after(maxMs, () => socket.destroy());
  socket.once('close', stopTimer);
  socket.end();
  // The bytes are no longer parsed as requests.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  socket.resume();
};

/** Whether a client is still sending a streamed body. Once there is an answer, nothing reads the rest of it. */
export const isStillUploading = ({ request: { body } }: Exchange, { req }: ServerAnswer): boolean =>
  body.kind === 'stream' && !req.complete;

/**
 * Called for a request that is answered before its body has arrived, on a connection that is to close. An HTTP/2 stream ends by
 * itself.
 */
export const drainAfterAnswer = (response: ServerAnswer, clock: Pick<Clock, 'after'>): void => {
  if (response.req.complete) return;
  // Answers to pipelined requests have no socket before their turn.
  if (response.socket === null) response.once('socket', (socket) => drainBeforeClose(socket, response, clock));
  else if (response.socket !== undefined) drainBeforeClose(response.socket, response, clock);
};

const drainBeforeClose = (socket: Socket, { req }: ServerAnswer, clock: Pick<Clock, 'after'>): void => {
  // node:http calls this when the answer has been sent, or that of a later request.
  socket.destroySoon = () => {
    if (req.complete) Socket.prototype.destroySoon.call(socket);
    else endAfterReading(socket, clock);
  };
};
