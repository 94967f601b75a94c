/** Headers of the connection and of its framing, which the gateway sets itself. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

/** The characters of which the name of a header consists. */
export const fieldName: RegExp = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether a text is the name of a header. An asterisk is valid in one, but is meant as a pattern. */
export const isHeaderName = (name: string): boolean => fieldName.test(name) && !name.includes('*');

/**
 * Whether a client's header with this name may be forwarded to a provider. The gateway's own headers and those of the connection
 * may not.
 */
export const forwardable = (name: string): boolean => {
  const lower = name.toLowerCase();
  return fieldName.test(name) && !lower.startsWith('x-gw-') && !connectionHeaders.has(lower);
};
