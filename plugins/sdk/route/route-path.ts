import { canonicalPath } from '../http/canonical-path.ts';

/** The base of all paths: the version that OpenAI's and Anthropic's paths start with. */
export const base = '/v1';

/** Returns the path of a route without the base, as the gateway stores it. */
export const belowBase = (path: string): string => (path.startsWith(`${base}/`) ? path.slice(base.length) : path);

/** First segments of the gateway's own paths: its pages, its control plane, its base, and what may follow the base. */
const reserved: ReadonlySet<string> = new Set(['', 'livez', 'readyz', 'prompts', 'policies', 'v1', 'proxy']);

/** Whether every segment is literal, except for one that may be `{model}` or `{model}:verb`. */
export const namesModelOnce = (segments: readonly string[]): boolean => {
  const others = segments.filter((text) => !/^\{model\}(?::[^{}:]+)?$/.test(text));
  return segments.length - others.length <= 1 && others.every((text) => !/[{}]/.test(text));
};

/** Returns why a path below the base cannot be a route's, or undefined if it can. */
export const routePathError = (path: string): string | undefined => {
  const [, first = ''] = path.split('/');
  if (reserved.has(first)) return `the gateway itself answers at /${first}`;
  if (!path.startsWith('/') || canonicalPath(path) !== path || /[?#\s]|\/\.\.(?:\/|$)/.test(path))
    return 'it is not a path in its plain form';
  return !namesModelOnce(path.slice(1).split('/')) || first.includes('{')
    ? 'only one segment of it, and not the first, may contain {model}'
    : undefined;
};

/** The path of the console. */
export const consolePath = '/console';

/** Whether a path is that of the console, or below it. */
export const isConsolePath = (path: string): boolean => path === consolePath || path.startsWith(`${consolePath}/`);
