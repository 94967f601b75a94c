/**
 * The lower bound for any gateway on Node: requests in through node:http, out through undici, with the body buffered and nothing
 * decided. `PORT=… UPSTREAM=… [PARSE=1] node bare-proxy.ts`; with PARSE it also parses the request's JSON.
 */
import { createServer, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

const port = Number(process.env.PORT);
const parse = process.env.PARSE === '1';
const pool = new Pool(`http://127.0.0.1:${process.env.UPSTREAM}`, {
  connections: 8192,
  headersTimeout: 0,
  bodyTimeout: 0,
});
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length']);

const endToEnd = (raw: readonly string[]): string[] =>
  raw.flatMap((text, at) => (at % 2 === 0 && !hopByHop.has(text.toLowerCase()) ? [text, raw[at + 1] ?? ''] : []));

class Relay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) controller.abort(new Error('client left'));
    });
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[]>,
  ): void {
    const kept = Object.entries(headers).filter(([name]) => !hopByHop.has(name) || name === 'content-length');
    this.#response.writeHead(status, Object.fromEntries(kept));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#response.end();
  }

  onResponseError(): void {
    if (!this.#response.headersSent) this.#response.writeHead(502);
    this.#response.end();
  }
}

createServer({ noDelay: true, keepAliveTimeout: 300_000 }, (request, response) => {
  if (request.url === '/livez') return response.end('ok');
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    if (parse) JSON.parse(body.toString());
    const { url = '/', method = 'POST' } = request;
    pool.dispatch(
      { path: url, method: method as Dispatcher.HttpMethod, headers: endToEnd(request.rawHeaders), body },
      new Relay(response),
    );
  });
}).listen(port, '127.0.0.1');
