import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { Clock } from '../ports/clock.ts';

/** Bytes of a body that are still read after its answer, and forgotten. */
const mostBytes = 16 * 1024 * 1024;
/** Milliseconds in which a client must have ended after its answer. */
const mostMs = 5_000;

/** Whether a client is still sending a body that streams on: nobody reads the rest of it once there is an answer. */
export const isSending = ({ request: { body } }: Exchange, { req }: ServerResponse): boolean =>
  body.kind === 'stream' && !req.complete;

/**
 * For a request that is answered before its body has come, with `connection: close`. What still comes is read and
 * forgotten, within bounds: a connection that is closed over unread bytes is reset, and the client might lose the answer
 * (RFC 9112 §9.6).
 */
export const drainAfterAnswer = (response: ServerResponse, clock: Pick<Clock, 'after'>): void => {
  // The answers to pipelined requests have no socket before their turn.
  if (response.socket === null) response.once('socket', (socket: Socket) => drainBeforeClose(socket, clock));
  else drainBeforeClose(response.socket, clock);
};

const drainBeforeClose = (socket: Socket, clock: Pick<Clock, 'after'>): void => {
  // node:http calls this when the answer has left.
  socket.destroySoon = () => {
    let left = mostBytes;
    const stopTimer = clock.after(mostMs, () => socket.destroy());
    socket.once('close', stopTimer);
    socket.end();
    // None of it is a request any more: the parser is left out.
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    socket.once('end', () => socket.destroy());
    socket.resume();
  };
};
