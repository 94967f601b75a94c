import { awsSignatureHeaders, credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import { isForeignKeyHeader } from '../../../schema/http/foreign-key-headers.ts';
import type { RawHeaders } from '../../sdk/http/http.ts';
import { secretName } from './service-headers.ts';

/** The parameter for client headers. */
export const forwardParameter = {
  forwardHeaders: {
    type: 'array',
    items: { type: 'string', pattern: "^[\\w!#$%&'*+.^`|~-]+$" },
    default: [],
    description:
      'Names of client headers to forward. Headers of credentials, cookies or the connection cannot be forwarded; of those of the gateway, only x-gw-trace-id and x-gw-span-id can.',
  },
} as const;

/** Headers of a connection, a body and a host, which are created anew for each request. */
const ofRequest: ReadonlySet<string> = new Set(
  'connection content-encoding content-length content-type expect host keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

const gatewayHeaders: ReadonlySet<string> = new Set(['x-gw-trace-id', 'x-gw-span-id']);

const isForwardable = (name: string): boolean => {
  if (name.startsWith('x-gw-')) return gatewayHeaders.has(name);
  const isCredential =
    credentialHeaders.has(name) ||
    awsSignatureHeaders.includes(name) ||
    isForeignKeyHeader(name) ||
    secretName.test(name);
  return !isCredential && !ofRequest.has(name);
};

/** Returns errors for headers that are never sent to a service. */
export const forwardErrors = (names: readonly string[] = []): readonly string[] =>
  names
    .filter((name) => !isForwardable(name.toLowerCase()))
    .map((name) => `The header "${name}" is not sent to a service. Remove it from "forwardHeaders".`);

/** Returns the client's headers with these names, for a service. Several lines of one header are joined. */
export const forwardedHeaders = (names: readonly string[], client: RawHeaders): { readonly [name: string]: string } => {
  if (names.length === 0) return {};
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const sent = new Map<string, string>();
  for (let at = 0; at + 1 < client.length; at += 2) {
    const name = client[at]?.toLowerCase() ?? '';
    const value = client[at + 1] ?? '';
    const before = sent.get(name);
    if (wanted.has(name)) sent.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(sent);
};
