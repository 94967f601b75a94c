import { clientScheme } from '../../../../plugins/sdk/http/client-scheme.ts';
import { headerValue, type RawHeaders } from '../../../../plugins/sdk/http/http.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { headerText } from '../../forwarded-headers/header-text.ts';

/** Returns the gateway's root as the client wrote it. A proxy in front of the gateway says whether that was with TLS. */
const findRoot = (client: RawHeaders): string | undefined => {
  const host = headerValue(client, 'host');
  return host === undefined ? undefined : `${clientScheme(client)}://${host}`;
};

/** Returns the header lines of a passed-through answer, with the provider's `nextAddress` rewritten to one of the gateway. */
export const withNextAddress = ({ exchange, target }: LeafCall, lines: RawHeaders): RawHeaders => {
  const { provider, origin, basePath } = target;
  const { nextAddress } = provider;
  if (nextAddress === undefined) return lines;
  const root = findRoot(exchange.request.headers);
  const at = lines.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === nextAddress.header);
  const url = at === -1 || root === undefined ? null : URL.parse(headerText(lines, at + 1));
  if (url?.origin !== origin) return lines;
  const path = nextAddress.findPath(url.pathname, basePath);
  return path === undefined ? lines : lines.with(at + 1, root + path + url.search);
};
