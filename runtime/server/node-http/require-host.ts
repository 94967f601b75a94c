import { errorReport } from '../../../schema/errors/errors.ts';
import { plainErrorText } from '../../http/answer/plain-error-text.ts';
import { drainAfterAnswer } from '../../http/body/drain-body.ts';
import type { ServerRequest } from '../../http/exchange/connection.ts';
import { newTraceId } from '../../http/exchange/trace-id.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RequestListener } from './request-listener.ts';

/** Matches a target in absolute form: `http://gateway.example:8787/v1/models`. */
const absolute = /^https?:\/\/([^/?#]*)(.*)$/is;

/** A host with or without a port, and nothing else. */
const plainAuthority = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a request's target begins unlike a path. */
const begins = ({ url = '' }: ServerRequest): boolean => url.charCodeAt(0) !== 0x2f && absolute.test(url);

/**
 * Reads a target in absolute form as a server must (RFC 9112 §3.2.2): the rest of it is the path, and its authority replaces
 * `Host` for all readers. Returns the reason if its authority cannot be used.
 */
const readAbsoluteForm = (request: ServerRequest): string | undefined => {
  if (!begins(request)) return undefined;
  const [, authority = '', rest = ''] = absolute.exec(request.url ?? '') ?? [];
  if (!plainAuthority.test(authority)) return 'the target of the request does not name a plain host.';
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  const { rawHeaders } = request;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (at === -1) rawHeaders.push('Host', authority);
  else rawHeaders[at + 1] = authority;
  return undefined;
};

/** Returns what is wrong with the `Host` lines of a request (RFC 9112 §3.2). */
const findHostError = ({ rawHeaders, httpVersion }: ServerRequest): string | undefined => {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') lines += 1;
  if (lines > 1) return 'it occurs more than once.';
  return lines === 0 && httpVersion !== '1.0' ? 'it is missing.' : undefined;
};

/**
 * Refuses requests with no `Host` or with several, because a later reader might use another one than was checked. The authority
 * of an absolute target takes its place.
 */
export const requireHost =
  (listener: RequestListener, clock: Pick<Clock, 'after'>): RequestListener =>
  (request, response) => {
    const reason = findHostError(request) ?? readAbsoluteForm(request);
    if (reason === undefined) {
      listener(request, response);
      return;
    }
    const report = errorReport('invalid-header', { header: 'host', reason });
    drainAfterAnswer(response, clock);
    response.writeHead(report.status, [
      ...['content-type', 'application/json', 'x-gw-trace-id', newTraceId()],
      ...['connection', 'close'],
    ]);
    response.end(plainErrorText(report));
  };
