import type { Socket } from 'node:net';

/** The maximum size of the head of a proxy's answer, in bytes. */
const maxHead = 16 * 1024;

const headEnd = Buffer.from('\r\n\r\n');

/** The answer of a proxy to CONNECT: its status, or why it has none, as the end of a sentence. */
export type Reply = { readonly status: number } | { readonly problem: string };

/** Reads the status of a head. Undefined while the head is incomplete. */
const parseHead = (received: Buffer): Reply | undefined => {
  const end = received.indexOf(headEnd);
  if (end === -1) {
    if (received.length > maxHead) return { problem: 'the head of its answer is too large' };
    // An answer in another protocol may never contain an empty line.
    const start = received.subarray(0, 5).toString('latin1');
    return 'HTTP/'.startsWith(start) ? undefined : { problem: 'its answer is not HTTP' };
  }
  if (end > maxHead) return { problem: 'the head of its answer is too large' };
  const line = received.subarray(0, end).toString('latin1').split('\r\n', 1)[0] ?? '';
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return { problem: 'its answer is not HTTP' };
  // The host does not speak first, so what follows would come from the proxy.
  if (status >= 200 && status < 300 && received.length > end + headEnd.length)
    return { problem: 'its answer has more than a head' };
  return { status };
};

/** Reads the answer of a proxy to CONNECT. Nothing listens to the socket after that. */
export const readReply = (socket: Socket, onReply: (reply: Reply) => void): void => {
  let received = Buffer.alloc(0);
  const finish = (reply: Reply): void => {
    socket.off('data', onData).off('end', onEnd).pause();
    onReply(reply);
  };
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    let reply = parseHead(received);
    // Interim answers are skipped.
    while (reply !== undefined && 'status' in reply && reply.status < 200) {
      received = received.subarray(received.indexOf(headEnd) + headEnd.length);
      reply = parseHead(received);
    }
    if (reply !== undefined) finish(reply);
  };
  const onEnd = (): void => finish({ problem: 'it closed the connection' });
  socket.on('data', onData).on('end', onEnd);
};
