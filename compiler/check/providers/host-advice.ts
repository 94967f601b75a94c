import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { customHost } from '../../resolve/providers/custom-host.ts';
import { findProvider, hasCredential } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Returns the path of a provider's own base URL, or the default path for a provider without an address. */
const ownPath = ({ baseUrl }: Provider): string | undefined => {
  if (baseUrl === undefined) return '/v1';
  const path = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl).pathname : '/';
  return path === '/' ? undefined : path;
};

/** Returns the missing end of a host's path, and the whole URL with it. */
const findMissingEnd = (
  provider: Provider,
  { origin, pathname: written }: URL,
): { readonly path: string; readonly url: string } | undefined => {
  const { hostPath } = provider;
  const pathname = written.endsWith('/') ? written.slice(0, -1) : written;
  const path = hostPath ?? ownPath(provider);
  if (path === undefined || (hostPath === undefined ? pathname !== '' : pathname.endsWith(hostPath))) return undefined;
  const at = pathname.indexOf(`${path}/`);
  const start = at === -1 ? pathname.replace(/\/v\d+$/, '') : pathname.slice(0, at);
  return { path, url: origin + start + path };
};

const isLocal = (host: string): boolean =>
  !host.includes('.') ||
  /\.(?:local|internal|localhost|svc|lan|home\.arpa|test)$|\.svc\./.test(host) ||
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[)/.test(host);

/** The same version twice, one after the other. */
const twice = /\/(v\d+[a-z0-9]*)\/\1(?:\/|$)/;

/**
 * Checks that a custom host is a whole base URL, that credentials are sent to it over TLS unless it is on the same network, and
 * that the gateway may call it.
 */
export const hostAdvice: Check = defineCheck({
  name: 'host-advice',
  create: ({ reporter, findUntrusted }) => ({
    leaf(node, { source }) {
      const stated = node.settings.custom_host;
      const provider = findProvider(source);
      const host = stated === undefined ? undefined : customHost(stated.value);
      if (stated === undefined || provider === undefined || host?.ok !== true) return;
      const place = { pointer: stated.pointer, part: 'value' } as const;
      const url = new URL(host.baseUrl);
      const { pathname, protocol, hostname, host: shown } = url;
      const endpoints = Object.values(provider.speaks).filter((endpoint) => typeof endpoint === 'string');
      const operations = provider.hostPath === undefined ? endpoints[0] : `the operations of "${provider.id}"`;
      const missing = findMissingEnd(provider, url);
      if (missing !== undefined && operations !== undefined)
        reporter.report('missing-version', place, { ...missing, operations });
      const end = endpoints.find((endpoint) => pathname.endsWith(endpoint));
      if (end !== undefined) reporter.report('operation-in-host', place, { path: end });
      const repeated = endpoints.map((endpoint) => pathname + endpoint).find((each) => twice.test(each));
      const [, segment] = twice.exec(repeated ?? '') ?? [];
      if (repeated !== undefined && segment !== undefined)
        reporter.report('repeated-version', place, { segment, path: repeated });
      if (protocol === 'http:' && !isLocal(hostname) && hasCredential(node, source))
        reporter.report('clear-text-credential', place, { host: hostname });
      const reason = findUntrusted?.(stated.value);
      if (reason !== undefined) reporter.report('untrusted-host', place, { host: shown, reason });
    },
  }),
});
