/** An attempt as the header `x-gw-attempts` lists it. */
export interface TrailAttempt {
  /** The place of its target in the config. */
  readonly place: string;
  readonly status: string;
  /** The code of the gateway's error; empty without one. */
  readonly error: string;
  /** Milliseconds; empty where they are not stated. */
  readonly ms: string;
}

const item = /\s*"((?:[^"\\]|\\.)*)"((?:\s*;\s*[a-z][\w-]*=(?:"(?:[^"\\]|\\.)*"|[^;,\s]+))*)\s*(?:,|$)/gy;
const parameter = /([a-z][\w-]*)=("(?:[^"\\]|\\.)*"|[^;,\s]+)/g;

const unquote = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text);

/** Reads the List of RFC 9651 that `x-gw-attempts` is, as far as it is one. */
export const readAttempts = (header: string): readonly TrailAttempt[] =>
  [...header.matchAll(item)].map(([, place = '', parameters = '']) => {
    const members = new Map(
      [...parameters.matchAll(parameter)].map(([, name = '', value = '']) => [name, unquote(value)] as const),
    );
    const of = (name: string): string => members.get(name) ?? '';
    return { place: unquote(`"${place}"`), status: of('status'), error: of('error'), ms: of('ms') };
  });

/** The cause of a status, for which there is advice. */
export type Cause = 'key' | 'limit' | 'guardrail' | 'notFound' | 'upstream' | 'request';

/** Finds why a request failed, by its status. */
export const toCause = (status: number): Cause => {
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'notFound';
  if (status === 429 || status === 412 || status === 402) return 'limit';
  if (status === 446 || status === 246) return 'guardrail';
  return status >= 400 && status < 500 ? 'request' : 'upstream';
};
