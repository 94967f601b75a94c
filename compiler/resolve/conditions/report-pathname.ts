import { base, belowBase } from '../../../plugins/sdk/route/route-path.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { closestName } from '../../../schema/text/closest-name.ts';
import { compileRegex } from '../../../schema/text/regex.ts';
import type { CompileContext } from '../context/compile-context.ts';

type Context = Pick<CompileContext, 'reporter' | 'catalogue'>;

/** Returns the path as conditions see it: relative to the base, unless it begins with a version of its own. */
const toSeen = (path: string): string => {
  const below = belowBase(path);
  return /^\/v\d/.test(below) ? below : base + below;
};

/** Returns the paths of the operations that the dialects of the catalogue declare. */
const knownPaths = ({ catalogue: { dialects } }: Context): readonly string[] => [
  `${base}/models`,
  ...[...dialects.values()].flatMap(({ routes = [], models }) => [
    ...routes.map(({ path }) => toSeen(path)),
    ...(models?.path === undefined ? [] : [toSeen(models.path)]),
  ]),
];

const isPath = (known: string, path: string): boolean => {
  const [start = '', end] = known.split('{model}');
  if (end === undefined) return known === path;
  return path.length > start.length + end.length && path.startsWith(start) && path.endsWith(end);
};

/** Returns the path that was probably meant, from a URL or a request line: with the base, and in lower case. */
const tidied = (text: string): string => {
  const [path = ''] = text
    .replace(/^[A-Z]+ /, '')
    .replace(/^https?:\/\/[^/]*/i, '')
    .split(/[?#]/, 1);
  const plain = `/${path}`.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return toSeen(plain.toLowerCase());
};

/** Returns the known path that was probably meant: spelt differently, similar, or beginning with the text. */
const findMeant = (text: string, known: readonly string[]): string | undefined => {
  const plain = tidied(text);
  if (known.some((path) => isPath(path, plain))) return plain;
  return known.find((path) => path.startsWith(`${plain}/`)) ?? closestName(plain, known);
};

const report = (text: string, pointer: JsonPointer, meant: string | undefined, { reporter }: Context): void => {
  const suggestion =
    meant === undefined
      ? `Write the path as requests have it, without a host or a query, such as "${base}/chat/completions".`
      : `Did you mean "${meant}"?`;
  reporter.report('unlikely-path', { pointer, part: 'value' }, { path: text, suggestion });
};

/** Reports a path that no request can have, as far as that is certain, and one that is similar to that of an operation. */
export const reportPathname = (text: string, pointer: JsonPointer, context: Context): void => {
  const known = knownPaths(context);
  if (known.some((path) => isPath(path, text))) return;
  const meant = findMeant(text, known);
  // Any other path below a version may belong to a request that is passed through.
  const isPossible = /^\/v\d[^/]*\/[^?#\s]*[^?#\s/]$/.test(text);
  if (meant !== undefined || !isPossible) report(text, pointer, meant, context);
};

/** Reports a pattern that is a plain text and that occurs only in paths similar to those of operations. */
export const reportPathPattern = (pattern: string, pointer: JsonPointer, context: Context): void => {
  const [, literal] = /^\^?([\w/-]+)\$?$/.exec(pattern) ?? [];
  if (literal === undefined) return;
  const known = knownPaths(context);
  const matches = compileRegex(pattern);
  // A pattern is tested with and without the base.
  if (known.some((path) => matches(path) || matches(belowBase(path)))) return;
  const meant = findMeant(literal, known);
  if (meant !== undefined) report(pattern, pointer, meant, context);
};
