import type { Exchange } from '../../../../sdk/exchange/exchange.ts';

/** Dialects by which clients converse; the other operations have one path each. */
const conversing: ReadonlySet<string> = new Set(['chat', 'messages', 'responses', 'gemini', 'converse', 'cohere']);

/** Characters at which some servers end a segment, and their escapes. */
const ends = /[/;\\]|%(?:2f|3b|5c)/;

const firstSegment = (path: string): string =>
  path
    .replace(/[?#].*$/s, '')
    .toLowerCase()
    .split(ends)
    .find((segment) => segment !== '') ?? '';

/**
 * Which kind of endpoint a request calls, as policies name it: `chat`, `messages`, `responses`, `gemini`, `converse`,
 * `cohere`, `completions`, `embeddings`, or the first segment of a path that is passed through, in lower case.
 */
export const endpointType = ({ route, request }: Pick<Exchange, 'route' | 'request'>): string => {
  const { operation, dialect } = route;
  if (operation === 'complete') return 'completions';
  if (operation === 'embed') return 'embeddings';
  if (operation === 'converse' && dialect !== undefined && conversing.has(dialect)) return dialect;
  return operation === 'converse' ? (dialect ?? '') : firstSegment(request.path);
};
