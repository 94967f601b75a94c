const hopByHop: ReadonlySet<string> = new Set([
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

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Whether a text is the name of a header. An asterisk is valid in one, but is meant as a pattern. */
export const isHeaderName = (name: string): boolean => fieldName.test(name) && !name.includes('*');

/**
 * Whether a client's header with this name may be forwarded to a provider. The gateway's own headers and those of the connection
 * may not.
 */
export const forwardable = (name: string): boolean => {
  const lower = name.toLowerCase();
  return fieldName.test(name) && !lower.startsWith('x-gw-') && !hopByHop.has(lower);
};
