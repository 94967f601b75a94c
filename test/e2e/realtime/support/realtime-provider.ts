import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** A session that a client has opened at the provider. */
export interface ProviderSession {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: WebSocket;
}

/** A provider with OpenAI's Realtime API. */
export interface RealtimeProvider {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly sessions: readonly ProviderSession[];
  /** How the next handshakes are answered: by these statuses with an error, one each, and then by a session. */
  refuseNext(...statuses: readonly number[]): void;
  /** How many handshakes were answered with an error. */
  readonly refused: number;
  close(): Promise<void>;
}

interface ClientEvent {
  readonly type: string;
  readonly response?: { readonly metadata?: Readonly<Record<string, string>> };
}

/** The usage of a response that an event asks for in its metadata: `{ "input": "10", "output": "20" }`. */
const usageOf = ({ response }: ClientEvent): object => {
  const { input = '1', output = '2' } = response?.metadata ?? {};
  return {
    total_tokens: Number(input) + Number(output),
    input_tokens: Number(input),
    output_tokens: Number(output),
    input_token_details: { text_tokens: Number(input), audio_tokens: 0, cached_tokens: 0 },
    output_token_details: { text_tokens: Number(output), audio_tokens: 0 },
  };
};

const answer = (socket: WebSocket, event: ClientEvent): void => {
  const send = (value: object): void => socket.send(JSON.stringify(value));
  switch (event.type) {
    case 'response.create':
      send({ type: 'response.created', response: { id: 'resp_1' } });
      send({ type: 'response.output_text.delta', delta: 'Hello!' });
      send({ type: 'response.done', response: { id: 'resp_1', status: 'completed', usage: usageOf(event) } });
      return;
    // Not part of the API: they end the session in different ways.
    case 'test.close':
      socket.close(4001, 'the test is over');
      return;
    case 'test.drop':
      socket.terminate();
      return;
    default:
      send({ type: 'error', error: { type: 'invalid_request_error', message: `Unknown event ${event.type}.` } });
  }
};

const refusal = (status: number): string => {
  const body = JSON.stringify({ error: { message: `It refuses with ${status}.`, type: 'x', code: null } });
  return `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

const origin = (server: Server): string => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
};

/** Starts a provider that answers each `response.create` with the usage that its metadata names. */
export const startRealtimeProvider = async (): Promise<RealtimeProvider> => {
  const server = createServer((_, response) => response.writeHead(404).end('{}'));
  const sessions: ProviderSession[] = [];
  const refusals: number[] = [];
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (protocols) => (protocols.has('realtime') ? 'realtime' : false),
  });
  let refused = 0;
  server.on('upgrade', (request, socket, head) => {
    const status = refusals.shift();
    if (status !== undefined) {
      refused += 1;
      socket.end(refusal(status));
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      sessions.push({ url: request.url ?? '', headers: request.headers, socket: opened });
      opened.on('error', () => {});
      opened.on('message', (data, isBinary) => {
        if (isBinary) opened.send(data, { binary: true });
        else answer(opened, JSON.parse(String(data)));
      });
      opened.send(JSON.stringify({ type: 'session.created', session: { model: 'priced' } }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: origin(server),
    sessions,
    refuseNext: (...statuses) => void refusals.push(...statuses),
    get refused() {
      return refused;
    },
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
