/**
 * How a header line is handled. `hop-by-hop` lines are not passed on (RFC 9110 §7.6.1), `framing` lines are written anew with the
 * body, `host` with the address, and `gateway` lines are between the client and this gateway. All others are `end-to-end`.
 */
export type HeaderClass = 'end-to-end' | 'hop-by-hop' | 'framing' | 'host' | 'gateway';

const named: ReadonlyMap<string, HeaderClass> = new Map<string, HeaderClass>([
  ['te', 'hop-by-hop'],
  ['host', 'host'],
  ['expect', 'hop-by-hop'],
  ['trailer', 'hop-by-hop'],
  ['upgrade', 'hop-by-hop'],
  ['connection', 'hop-by-hop'],
  ['keep-alive', 'hop-by-hop'],
  ['content-length', 'framing'],
  ['proxy-connection', 'hop-by-hop'],
  ['transfer-encoding', 'hop-by-hop'],
  // Frames are relayed as they are, and read on the way, so nothing may change their form.
  ['sec-websocket-extensions', 'hop-by-hop'],
  ['proxy-authenticate', 'hop-by-hop'],
  ['proxy-authorization', 'hop-by-hop'],
  // These request another method or path than the one that was routed, checked and overridden.
  ['x-http-method', 'hop-by-hop'],
  ['x-method-override', 'hop-by-hop'],
  ['x-http-method-override', 'hop-by-hop'],
  ['x-original-url', 'hop-by-hop'],
  ['x-rewrite-url', 'hop-by-hop'],
  // A server in front of the gateway, such as nginx, would send a file of its own in place of an answer with one of these.
  ['x-accel-redirect', 'hop-by-hop'],
  ['x-sendfile', 'hop-by-hop'],
  ['x-lighttpd-send-file', 'hop-by-hop'],
  ['x-reproxy-url', 'hop-by-hop'],
]);

const longest = 24;
/** Most headers differ from all of these in length, so their letters need not be compared. */
const lengths: readonly boolean[] = Array.from({ length: longest + 1 }, (_, length) =>
  [...named.keys()].some((name) => name.length === length),
);

/** The prefix of all headers of the gateway itself. */
export const gatewayPrefix = 'x-gw-';
const lettersAt = 2;
const firstLetter = gatewayPrefix.charCodeAt(lettersAt);
const lowerCase = 0x20;

/** Whether a header has the prefix of the gateway's own headers. Most others that begin with `x-` differ in the next letter. */
export const isGatewayHeader = (name: string): boolean =>
  (name.charCodeAt(lettersAt) | lowerCase) === firstLetter &&
  name.slice(0, gatewayPrefix.length).toLowerCase() === gatewayPrefix;

export const headerClass = (name: string): HeaderClass => {
  if (lengths[name.length] === true) {
    const found = named.get(name.toLowerCase());
    if (found !== undefined) return found;
  }
  return isGatewayHeader(name) ? 'gateway' : 'end-to-end';
};

/** Returns the additional headers, in lower case, that a `Connection` line makes hop-by-hop. */
export const connectionNames = (value: string): readonly string[] =>
  value
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'close' && name !== 'keep-alive');
