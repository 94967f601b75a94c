import { canonicalPath } from '../http/canonical-path.ts';

/** Below which all paths are; the version that OpenAI's and Anthropic's paths begin with. */
export const base = '/v1';

/** The path of a route as the gateway arranges it: without the base. */
export const belowBase = (path: string): string => (path.startsWith(`${base}/`) ? path.slice(base.length) : path);

/** First segments of the gateway's own paths: its pages, its control plane, its base and what may follow that. */
const reserved: ReadonlySet<string> = new Set(['', 'livez', 'readyz', 'prompts', 'policies', 'v1', 'proxy']);

/** Whether every segment is written out, except for one that may be `{model}` or `{model}:verb`. */
export const namesModelOnce = (segments: readonly string[]): boolean => {
  const others = segments.filter((text) => !/^\{model\}(?::[^{}:]+)?$/.test(text));
  return segments.length - others.length <= 1 && others.every((text) => !/[{}]/.test(text));
};

/** Why a path below the base cannot be that of a route. */
export const routePathError = (path: string): string | undefined => {
  const [, first = ''] = path.split('/');
  if (reserved.has(first)) return `the gateway itself answers at /${first}`;
  if (!path.startsWith('/') || canonicalPath(path) !== path || /[?#\s]|\/\.\.(?:\/|$)/.test(path))
    return 'it is not a path in its plain form';
  return !namesModelOnce(path.slice(1).split('/')) || first.includes('{')
    ? 'only one segment of it, and not the first, may contain {model}'
    : undefined;
};

/** Where the console is. */
export const consolePath = '/console';

/** Whether a path is the console's, or below it. */
export const isConsolePath = (path: string): boolean => path === consolePath || path.startsWith(`${consolePath}/`);
