import { percentDecoded } from '../../schema/text/percent-decoded.ts';
/** The address of a proxy. */
export interface ProxyAddress {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Whether the proxy itself speaks TLS. */
  readonly isSecure: boolean;
  /** `host:port`, for messages. */
  readonly host: string;
  /** The value of `Proxy-Authorization`. Absent if the URL has no credentials. */
  readonly authorization?: string;
}

/** An address, or why the text is not one, in a sentence that shows nothing of it, because it may contain a password. */
export type ReadProxyAddress = { readonly address: ProxyAddress } | { readonly problem: string };

/** Returns the header of RFC 7617. Undefined if it cannot contain the credentials. */
const toBasic = ({ username, password }: URL): string | undefined => {
  const [user, secret] = [percentDecoded(username), percentDecoded(password)];
  if (user === undefined || secret === undefined || user.includes(':') || /\p{Cc}/u.test(`${user}${secret}`))
    return undefined;
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
};

/** Reads the URL of a proxy like curl: the default scheme is `http://`, and the default port is 80 or 443. */
export const readProxyAddress = (text: string): ReadProxyAddress => {
  const given = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given)?.[1]?.toLowerCase() ?? 'http';
  if (scheme.startsWith('socks')) return { problem: 'It is a SOCKS proxy, and only HTTP proxies are supported.' };
  if (scheme !== 'http' && scheme !== 'https') return { problem: 'It must begin with http:// or https://.' };
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  if (url === null || url.hostname === '' || url.port === '0')
    return { problem: 'It is not a URL with a host and a port from 1 to 65535.' };
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return { problem: 'It has a path, a query or a fragment.' };
  const isSecure = scheme === 'https';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const address = {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    isSecure,
    host: `${url.hostname}:${port}`,
  };
  if (url.username === '' && url.password === '') return { address };
  const authorization = toBasic(url);
  if (authorization === undefined)
    return { problem: 'Its user name or password cannot be sent: write special characters as %40.' };
  return { address: { ...address, authorization } };
};
