/** An attempt in the header `x-gw-attempts`. */
export interface TrailAttempt {
  /** The path of its target in the config. */
  readonly place: string;
  readonly status: string;
  /** The error code of the gateway; empty if there is none. */
  readonly error: string;
  /** Milliseconds; empty if the header has none. */
  readonly ms: string;
}

const item = /\s*"((?:[^"\\]|\\.)*)"((?:\s*;\s*[a-z][\w-]*=(?:"(?:[^"\\]|\\.)*"|[^;,\s]+))*)\s*(?:,|$)/gy;
const parameter = /([a-z][\w-]*)=("(?:[^"\\]|\\.)*"|[^;,\s]+)/g;

const unquote = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text);

/** Parses `x-gw-attempts`, a List of RFC 9651. Skips items that are invalid. */
export const readAttempts = (header: string): readonly TrailAttempt[] =>
  [...header.matchAll(item)].map(([, place = '', parameters = '']) => {
    const members = new Map(
      [...parameters.matchAll(parameter)].map(([, name = '', value = '']) => [name, unquote(value)] as const),
    );
    const of = (name: string): string => members.get(name) ?? '';
    return { place: unquote(`"${place}"`), status: of('status'), error: of('error'), ms: of('ms') };
  });

/** The causes of failed requests for which the page has advice. */
export type Cause = 'key' | 'limit' | 'guardrail' | 'notFound' | 'upstream' | 'request';

/** Derives the cause of a failed request from its status. */
export const toCause = (status: number): Cause => {
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'notFound';
  if (status === 429 || status === 412 || status === 402) return 'limit';
  if (status === 446 || status === 246) return 'guardrail';
  return status >= 400 && status < 500 ? 'request' : 'upstream';
};
