import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { onlyNames, withoutNames } from '../../../plugins/sdk/http/header-lines.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { switchingProtocols } from '../../../schema/http/status.ts';
import type { ServerRequest } from '../../http/exchange/connection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GatewayFetch } from '../fetch/gateway-fetch.ts';
import type { GatewayService } from '../service.ts';
import { ClientStream } from './client-stream.ts';
import { Conversations } from './conversations.ts';
import { MessageSocket } from './message-socket.ts';

export interface ResponseSocketOptions {
  readonly service: Pick<GatewayService, 'memoryBudget' | 'limits'>;
  /** Answers the requests. A parameter, because this module is loaded later than the gateway. */
  readonly fetch: GatewayFetch;
  readonly clock: Clock;
  readonly isDraining: () => boolean;
}

/** RFC 6455 §1.3. */
const acceptedBy = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const keyForm = /^[+/\dA-Za-z]{22}==$/;

const servedVersion = '13';

/** The headers of a handshake that are not those of its requests. */
const ofHandshake = [
  ...['connection', 'upgrade', 'content-type', 'content-length', 'accept', 'expect', 'accept-encoding'],
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions'],
];

/** Returns the value of a header that occurs once. */
const onlyValue = (headers: RawHeaders, name: string): string | undefined => {
  const lines = onlyNames(headers, [name]);
  return lines.length === 2 ? lines[1] : undefined;
};

/** Returns the header lines of the answer to a handshake. Throws the `GatewayError` `invalid-header`. */
const handshakeLines = (headers: RawHeaders): readonly string[] => {
  const key = onlyValue(headers, 'sec-websocket-key') ?? '';
  const version = onlyValue(headers, 'sec-websocket-version');
  if (!keyForm.test(key))
    throw gatewayError('invalid-header', { header: 'sec-websocket-key', reason: 'it must be 16 bytes in base64.' });
  if (version !== servedVersion)
    throw gatewayError(
      'invalid-header',
      { header: 'sec-websocket-version', reason: `it must be ${servedVersion}.` },
      { headers: ['sec-websocket-version', servedVersion] },
    );
  const accept = createHash('sha1')
    .update(key + acceptedBy)
    .digest('base64');
  const [protocol = ''] = headerValue(headers, 'sec-websocket-protocol')?.split(',') ?? [];
  const chosen = protocol === '' ? [] : ['sec-websocket-protocol', protocol.trim()];
  return ['sec-websocket-accept', accept, ...chosen];
};

const toHeaders = (lines: RawHeaders): Headers => {
  const headers = new Headers({ 'content-type': 'application/json' });
  const kept = withoutNames(lines, ofHandshake);
  for (let at = 0; at < kept.length; at += 2) headers.append(kept[at] ?? '', kept[at + 1] ?? '');
  return headers;
};

/** Lets the library speak the protocol of an opened WebSocket. */
const speak = (stream: ClientStream, maxPayload: number): WebSocket => {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload });
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    'sec-websocket-version': servedVersion,
  };
  let opened: WebSocket | undefined;
  // The library reads only these members.
  server.handleUpgrade({ method: 'GET', headers } as unknown as IncomingMessage, stream, Buffer.alloc(0), (socket) => {
    opened = socket;
  });
  if (opened === undefined) throw new TypeError('The WebSocket was not opened.');
  return opened;
};

/**
 * Opens a WebSocket whose messages are requests for responses, with the headers of the handshake. Throws the `GatewayError`
 * `invalid-header`.
 */
export const openResponseSocket = (
  { principal, cancellation, request: { headers: sent } }: Exchange,
  request: ServerRequest,
  { service: { memoryBudget, limits }, fetch, clock, isDraining }: ResponseSocketOptions,
): GatewayResponse => {
  const lines = handshakeLines(sent);
  const stream = new ClientStream();
  const url = new URL(request.url ?? '/', 'http://gateway');
  const headers = toHeaders(request.rawHeaders);
  const socket = new MessageSocket({
    ...{ socket: speak(stream, limits.bodyBytes), memoryBudget, principal, clock, isDraining },
    ask: (body, signal) => fetch(new Request(url, { method: 'POST', headers, body, signal })),
    conversations: new Conversations({ memoryBudget, principal, maxBytes: limits.bodyBytes }),
  });
  stream.onReceived((bytes) => socket.received(bytes));
  cancellation.onCancel(() => {
    if (cancellation.cause === undefined) stream.destroy();
    else socket.shutDown(cancellation.cause);
  });
  return { status: switchingProtocols, headers: lines, origin: 'gateway', body: stream, toUpstream: stream.taken };
};
