/**
 * The provider of `overload.ts`: `PORT=… CAPACITY=20 SERVICE_MS=100 node overload-provider.ts`. Like a model server, it works on
 * CAPACITY requests at once, each for SERVICE_MS, and queues all others in order. It also works on requests whose clients have
 * disconnected, although nobody reads the answer.
 */
import { createServer, type ServerResponse } from 'node:http';
import { chatAnswer } from '../harness/payloads.ts';

const capacity = Number(process.env.CAPACITY);
const serviceMs = Number(process.env.SERVICE_MS);
const waiting: ServerResponse[] = [];
let working = 0;

const begin = (): void => {
  while (working < capacity) {
    const response = waiting.shift();
    if (response === undefined) return;
    working += 1;
    setTimeout(() => {
      working -= 1;
      if (!response.destroyed) response.writeHead(200, { 'content-type': 'application/json' }).end(chatAnswer);
      begin();
    }, serviceMs);
  }
};

createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/ready') response.end();
    else {
      waiting.push(response);
      begin();
    }
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
