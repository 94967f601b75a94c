import type { IncomingMessage } from 'node:http';

/** What a target in absolute form names: `http://gateway.example:8787/v1/models`. */
const absolute = /^https?:\/\/([^/?#]*)(.*)$/is;

/** A host with or without a port, and nothing else. */
const plainAuthority = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a request's target begins as no path does. */
const begins = ({ url = '' }: IncomingMessage): boolean => url.charCodeAt(0) !== 0x2f && absolute.test(url);

/**
 * Reads a target in absolute form as a server must (RFC 9112 §3.2.2): the rest of it is the path, and its authority stands in the
 * place of `Host`, for all who read that. Gives the reason if its authority cannot be used.
 */
export const readAbsoluteForm = (request: IncomingMessage): string | undefined => {
  if (!begins(request)) return undefined;
  const [, authority = '', rest = ''] = absolute.exec(request.url ?? '') ?? [];
  if (!plainAuthority.test(authority)) return 'the target of the request names another than a plain host.';
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  const { rawHeaders } = request;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (at === -1) rawHeaders.push('Host', authority);
  else rawHeaders[at + 1] = authority;
  return undefined;
};
