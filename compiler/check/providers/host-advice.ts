import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { customHost } from '../../resolve/providers/custom-host.ts';
import { findProvider, hasCredential } from '../../resolve/providers/source-facts.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** The path of a provider's own base URL; the usual one for a provider without an address. */
const ownPath = ({ baseUrl }: Provider): string | undefined => {
  if (baseUrl === undefined) return '/v1';
  const path = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl).pathname : '/';
  return path === '/' ? undefined : path;
};

const isLocal = (host: string): boolean =>
  !host.includes('.') ||
  /\.(?:local|internal|localhost|svc|lan|home\.arpa|test)$|\.svc\./.test(host) ||
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[)/.test(host);

/** A custom host is a whole base URL, and receives credentials over TLS unless it is on the same network. */
export const hostAdvice: Check = defineCheck({
  name: 'host-advice',
  create: ({ reporter }) => ({
    leaf(node, { source }) {
      const stated = node.settings.custom_host;
      const provider = findProvider(source);
      const host = stated === undefined ? undefined : customHost(stated.value);
      if (stated === undefined || provider === undefined || host?.ok !== true) return;
      const place = { pointer: stated.pointer, part: 'value' } as const;
      const { pathname, protocol, hostname } = new URL(host.baseUrl);
      const path = ownPath(provider);
      const [operation = ''] = Object.values(provider.speaks).filter((endpoint) => typeof endpoint === 'string');
      if (pathname === '/' && path !== undefined && operation !== '')
        reporter.report('missing-version', place, { path, operation });
      const end = Object.values(provider.speaks).find(
        (endpoint) => typeof endpoint === 'string' && pathname.endsWith(endpoint),
      );
      if (typeof end === 'string') reporter.report('operation-in-host', place, { path: end });
      if (protocol === 'http:' && !isLocal(hostname) && hasCredential(node, source))
        reporter.report('clear-text-credential', place, { host: hostname });
    },
  }),
});
