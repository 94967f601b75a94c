/**
 * The benchmark's provider for every dialect: `PORT=… node dialect-upstream.ts`. The first segment of the path selects the
 * dialect; `/<dialect>/paced/…` streams a piece every 2 ms, `/<dialect>/whole/…` answers immediately.
 */
import { createServer } from 'node:http';
import { type DialectPayloads, dialectPayloads } from './dialect-payloads.ts';

const paceMs = 2;
const byId = new Map(dialectPayloads.map((payloads) => [payloads.id, payloads]));

createServer((request, response) => {
  const [, id = '', traffic] = (request.url ?? '').split('/');
  const payloads: DialectPayloads | undefined = byId.get(id);
  request.resume();
  request.on('end', () => {
    if (payloads === undefined) {
      response.writeHead(404).end();
      return;
    }
    if (traffic !== 'paced') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(payloads.whole);
      return;
    }
    response.writeHead(200, { 'content-type': payloads.streamType });
    let at = 0;
    const next = (): void => {
      const piece = payloads.pieces[at];
      at += 1;
      if (piece === undefined) response.end();
      else {
        response.write(piece);
        setTimeout(next, paceMs);
      }
    };
    next();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
