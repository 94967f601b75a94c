import { type Client, symbols } from './undici-parts.ts';

type HeadersComplete = (status: number, upgrade: boolean, keepAlive: boolean) => number;

interface HeadParser {
  onHeadersComplete: HeadersComplete;
}

const processing = 102;

const isParser = (value: unknown): value is HeadParser =>
  typeof value === 'object' &&
  value !== null &&
  'onHeadersComplete' in value &&
  typeof value.onHeadersComplete === 'function';

const accepting = new WeakSet<HeadParser>();

/**
 * undici closes a connection at an unrequested `100 Continue`, although a client must accept one before any answer
 * (RFC 9110 §15.2.1). With this change its parsers treat it like other interim answers and skip it. All parsers share
 * their methods, so this is done once.
 */
export const acceptContinue = (client: Client): void => {
  const socket: unknown = Reflect.get(client, symbols.kSocket);
  const parser: unknown =
    typeof socket === 'object' && socket !== null ? Reflect.get(socket, symbols.kParser) : undefined;
  if (!isParser(parser)) return;
  const methods: unknown = Object.getPrototypeOf(parser);
  if (!isParser(methods) || accepting.has(methods)) return;
  accepting.add(methods);
  const { onHeadersComplete } = methods;
  methods.onHeadersComplete = function (this: HeadParser, status, upgrade, keepAlive) {
    return onHeadersComplete.call(this, status === 100 ? processing : status, upgrade, keepAlive);
  };
};
