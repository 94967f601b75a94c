import { namesModelOnce } from '../../plugins/sdk/route/route-path.ts';
import { percentDecoded } from '../../schema/text/percent-decoded.ts';

/** The placeholder for the model in a route's path. */
const placeholder = '{model}';

/** A literal segment, or the place of a model with the text that follows it in the segment: `:generateContent`. */
export type PatternSegment = string | { readonly verb: string };

/** A route's path whose segments are compared one by one. Only `{model}` varies. */
export interface RoutePattern {
  readonly segments: readonly PatternSegment[];
  /** The position of the segment with the model. */
  readonly at: number;
}

const toSegment = (text: string): PatternSegment =>
  text.startsWith(placeholder) ? { verb: text.slice(placeholder.length) } : text;

/** Returns the pattern of a path, or `exact` if it names no model. Undefined if it uses braces in another way. */
export const parseRoutePath = (path: string): RoutePattern | 'exact' | undefined => {
  const texts = path.slice(1).split('/');
  if (!namesModelOnce(texts)) return undefined;
  const segments = texts.map(toSegment);
  const at = segments.findIndex((segment) => typeof segment !== 'string');
  return at === -1 ? 'exact' : { segments, at };
};

/** The order in which patterns are tried at a segment: literals, then longer verbs, then any. The end is last. */
const rank = (segment: PatternSegment | undefined): number => {
  if (segment === undefined) return -1;
  return typeof segment === 'string' ? Number.MAX_SAFE_INTEGER : segment.verb.length;
};

/** Sorts the more specific pattern first. */
export const bySpecificity = (one: RoutePattern, other: RoutePattern): number => {
  const longest = Math.max(one.segments.length, other.segments.length);
  for (let at = 0; at < longest; at += 1) {
    const order = rank(other.segments[at]) - rank(one.segments[at]);
    if (order !== 0) return order;
  }
  return 0;
};

/** `@slug/model` is one name although it contains a slash, which many clients do not encode. */
const namesSaved = (segment: string | undefined): boolean => segment !== undefined && /^(?:@|%40)/.test(segment);

/** Returns the path of a pattern with a model, percent-encoded so that it is one segment. */
export const fillPattern = ({ segments }: RoutePattern, model: string): string =>
  segments
    .map((segment) => `/${typeof segment === 'string' ? segment : encodeURIComponent(model) + segment.verb}`)
    .join('');

/** The model in a path. */
export interface PathModel {
  /** Percent-decoded once. Undefined if it is not valid percent-encoding. */
  readonly model: string | undefined;
}

const modelBefore = (verb: string, text: string): PathModel | undefined => {
  const plain = percentDecoded(text);
  const whole = plain ?? text;
  if (!whole.endsWith(verb)) return undefined;
  return { model: plain?.slice(0, plain.length - verb.length) };
};

/** Reads the model of a path that a pattern matches. `parts` are the segments of the path in canonical form. */
export const matchPattern = ({ segments, at }: RoutePattern, parts: readonly string[]): PathModel | undefined => {
  const extra = parts.length - segments.length;
  if (extra < 0 || (extra > 0 && !namesSaved(parts[at]))) return undefined;
  for (let index = 0; index < segments.length; index += 1)
    if (index !== at && segments[index] !== parts[index < at ? index : index + extra]) return undefined;
  const segment = segments[at];
  const text = extra === 0 ? (parts[at] ?? '') : parts.slice(at, at + extra + 1).join('/');
  return modelBefore(typeof segment === 'object' ? segment.verb : '', text);
};
