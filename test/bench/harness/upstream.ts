/**
 * The benchmark's provider, on bare sockets to keep its own cost low: `PORT=… node upstream.ts`. `/v1/…` answers JSON,
 * `/failing/…` a 500. `/paced/…` streams an event every 5 ms, `/flat-out/…` streams as fast as possible, and `/held/…` sends its
 * first text and then an event every two seconds. With `RECEIVER_PORT=…`, it also receives traces on that port, whose bodies
 * arrive in chunks.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { chatAnswer, streamFrames } from './payloads.ts';

const paceMs = 5;
const heldPaceMs = 2000;
const json = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_bench\r\ncontent-length: ${Buffer.byteLength(chatAnswer)}\r\n\r\n${chatAnswer}`,
);
const failure = JSON.stringify({ error: { message: 'The server had an error.', type: 'server_error' } });
const failed = Buffer.from(
  `HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\ncontent-length: ${failure.length}\r\n\r\n${failure}`,
);
const streamHead =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n';
const writes = streamFrames.map((frame, index) =>
  Buffer.from(
    `${index === 0 ? streamHead : ''}${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n${index === streamFrames.length - 1 ? '0\r\n\r\n' : ''}`,
  ),
);

const stream = (socket: Socket, later: (next: () => void, sent: number) => void): void => {
  let at = 0;
  const next = (): void => {
    const part = writes[at++];
    if (part === undefined || socket.destroyed) return;
    if (socket.write(part)) later(next, at);
    else socket.once('drain', next);
  };
  next();
};

/** The callbacks that are due in each millisecond of the pace. */
const slots: (() => void)[][] = Array.from({ length: paceMs }, () => []);
let slotAt = 0;
let ticks: NodeJS.Timeout | undefined;
let lastTickMs = 0;

const emptiestSlot = (): number =>
  slots.reduce((least, { length }, at) => (length < (slots[least]?.length ?? 0) ? at : least), 0);

const runSlots = (): void => {
  const now = performance.now();
  for (; lastTickMs + 1 <= now; lastTickMs += 1) {
    slotAt = (slotAt + 1) % paceMs;
    for (const next of slots[slotAt]?.splice(0) ?? []) next();
  }
  if (slots.some(({ length }) => length > 0)) return;
  clearInterval(ticks);
  ticks = undefined;
};

/**
 * Returns a function that calls back once per pace. Callbacks are spread evenly over the milliseconds of the pace. Separate
 * timers would coincide by chance, more often for one relay than for another, and a relay that receives many chunks at once wakes
 * up only once for all of them.
 */
const spread = (): ((next: () => void) => void) => {
  const slot = emptiestSlot();
  return (next) => {
    slots[slot]?.push(next);
    if (ticks !== undefined) return;
    lastTickMs = performance.now();
    ticks = setInterval(runSlots, 1);
  };
};

const answer = (socket: Socket, path: string): void => {
  if (path.startsWith('/paced/')) stream(socket, spread());
  else if (path.startsWith('/flat-out/')) stream(socket, (next) => setImmediate(next));
  else if (path.startsWith('/held/')) stream(socket, (next, sent) => setTimeout(next, sent < 2 ? 0 : heldPaceMs));
  else if (path.startsWith('/failing/')) socket.write(failed);
  else socket.write(json);
};

/** Returns the length of the first complete request in the bytes, or 0. */
const requestLength = (bytes: Buffer): number => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase();
  const length = Number(/\r\ncontent-length: *(\d+)/.exec(head)?.[1] ?? 0);
  const end = headEnd + 4 + length;
  return bytes.length < end ? 0 : end;
};

const { RECEIVER_PORT: receiverPort } = process.env;
if (receiverPort !== undefined)
  createHttpServer((request, response) => {
    request.resume().on('end', () => response.end());
  }).listen(Number(receiverPort), '127.0.0.1');

createServer({ noDelay: true }, (socket) => {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    for (let end = requestLength(pending); end > 0; end = requestLength(pending)) {
      const line = pending.toString('latin1', 0, pending.indexOf(' HTTP/'));
      pending = pending.subarray(end);
      answer(socket, line.slice(line.indexOf(' ') + 1));
    }
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
