import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { validateHeaderValue } from '../../../plugins/sdk/http/node-http.ts';

/** Returns the lines of a request as in HTTP/1.1, where `Host` and the length of a body are lines too. */
export const toRequestLines = (raw: readonly string[], headers: IncomingHttpHeaders, hasBody: boolean): string[] => {
  const authority = headers[':authority'];
  const lines: string[] = [];
  let cookieAt = -1;
  if (authority !== undefined) lines.push('host', authority);
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    if (name.charCodeAt(0) === 0x3a || (name === 'host' && value === authority)) continue;
    // A cookie may be split over several lines, which HTTP/1.1 does not allow (RFC 9113 §8.2.3).
    if (name === 'cookie' && cookieAt !== -1) lines[cookieAt + 1] += `; ${value}`;
    else {
      if (name === 'cookie') cookieAt = lines.length;
      lines.push(name, value);
    }
  }
  if (hasBody && headers['content-length'] === undefined) lines.push('transfer-encoding', 'chunked');
  return lines;
};

/** Lines about an HTTP/1.1 connection (RFC 9113 §8.2.2). */
const ofConnections = new Set([
  ...['connection', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
]);

const token = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Statuses whose answers have no body, so that HTTP/2 allows no content length (RFC 9113 §8.1.1). The length of a 304 describes
 * another answer.
 */
const lengthless: ReadonlySet<number> = new Set([204, 205]);

/**
 * Returns the head of an answer. `lines` are alternating names and values. Throws if HTTP does not allow the status or one of the
 * lines.
 */
export const toAnswerHeaders = (status: number, lines: readonly string[]): OutgoingHttpHeaders => {
  if (status < 200 || status > 599) throw new RangeError(`HTTP/2 has no status ${status}.`);
  // A header may have the name of something that objects inherit, such as `constructor`.
  const headers: OutgoingHttpHeaders = Object.create(null);
  headers[':status'] = status;
  for (let at = 0; at < lines.length; at += 2) {
    const name = (lines[at] ?? '').toLowerCase();
    const value = lines[at + 1] ?? '';
    if (!token.test(name)) throw new TypeError('The name of a header is not a token.');
    if (ofConnections.has(name) || (name === 'content-length' && lengthless.has(status))) continue;
    validateHeaderValue(name, value);
    const known = headers[name];
    if (known === undefined) headers[name] = value.trim();
    else if (Array.isArray(known)) known.push(value.trim());
    else headers[name] = [String(known), value.trim()];
  }
  return headers;
};
