import { headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';

/** A request exactly as it was sent. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path and query. */
  readonly path: string;
  /** Name, value, name, value, … in order and as spelt. */
  readonly rawHeaders: RawHeaders;
  /** The request line and headers as text, with the empty line at the end. */
  readonly head: string;
  readonly body: Buffer;
  /** Returns the first value of a header. `name` is in lower case. */
  header(name: string): string | undefined;
  text(): string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it sent, and looks into it.
  json(): any;
}

const headEnd = Buffer.from('\r\n\r\n');

const toRequest = (head: string, body: Buffer): ReceivedRequest => {
  const [requestLine = '', ...lines] = head.trimEnd().split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const rawHeaders = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    method,
    path,
    rawHeaders,
    head,
    body,
    header: (name) => headerValue(rawHeaders, name),
    text: () => body.toString('utf8'),
    json: () => JSON.parse(body.toString('utf8')),
  };
};

interface Chunked {
  readonly body: Buffer;
  readonly end: number;
}

/** Parses the body of a chunked transfer. Returns `undefined` until its last chunk has arrived. */
const readChunked = (bytes: Buffer, from: number): Chunked | undefined => {
  const parts: Buffer[] = [];
  let at = from;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
};

/** Assembles complete requests from the bytes of a connection, and calls `onRequest` for each. */
export const createRequestReader = (onRequest: (request: ReceivedRequest) => void): ((bytes: Buffer) => void) => {
  let parts: Buffer[] = [];
  let size = 0;
  let wanted = 0;

  const take = (bytes: Buffer): { readonly request: ReceivedRequest; readonly end: number } | undefined => {
    const at = bytes.indexOf(headEnd);
    if (at === -1) return undefined;
    const bodyStart = at + headEnd.length;
    const head = bytes.toString('latin1', 0, bodyStart);
    const { header } = toRequest(head, Buffer.alloc(0));
    if (header('transfer-encoding') !== undefined) {
      const chunked = readChunked(bytes, bodyStart);
      return chunked === undefined ? undefined : { request: toRequest(head, chunked.body), end: chunked.end };
    }
    const end = bodyStart + Number(header('content-length') ?? 0);
    wanted = end;
    return bytes.length < end ? undefined : { request: toRequest(head, bytes.subarray(bodyStart, end)), end };
  };

  return (bytes) => {
    parts.push(bytes);
    size += bytes.length;
    while (size > 0 && size >= wanted) {
      const all = Buffer.concat(parts);
      const taken = take(all);
      const rest = taken === undefined ? all : all.subarray(taken.end);
      parts = [rest];
      size = rest.length;
      if (taken === undefined) return;
      wanted = 0;
      onRequest(taken.request);
    }
  };
};
