import type { Exchange } from '../../../sdk/exchange.ts';

/** Dialects by which clients converse; the other operations have one path each. */
const conversing: ReadonlySet<string> = new Set(['chat', 'messages', 'responses', 'gemini', 'converse', 'cohere']);

const firstSegment = (path: string): string => /^\/*([^/?#]*)/.exec(path)?.[1] ?? '';

/**
 * Which kind of endpoint a request calls, as policies name it: `chat`, `messages`, `responses`, `gemini`, `converse`,
 * `cohere`, `completions`, `embeddings`, or the first segment of a path that is passed through.
 */
export const endpointType = ({ route, request }: Pick<Exchange, 'route' | 'request'>): string => {
  const { operation, dialect } = route;
  if (operation === 'complete') return 'completions';
  if (operation === 'embed') return 'embeddings';
  if (operation === 'converse' && dialect !== undefined && conversing.has(dialect)) return dialect;
  return operation === 'converse' ? (dialect ?? '') : firstSegment(request.path);
};
