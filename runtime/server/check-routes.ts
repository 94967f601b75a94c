import { PluginError } from '../link/plugin-error.ts';
import { canonicalPath } from './canonical-path.ts';
import type { DeclaredRoute } from './declared-routes.ts';
import { parseRoutePath } from './route-pattern.ts';

/** First segments of the gateway's own paths: its pages, its control plane, its base and what may follow that. */
const reserved: ReadonlySet<string> = new Set(['', 'livez', 'readyz', 'prompts', 'policies', 'v1', 'proxy']);

const shown = ({ method, path }: DeclaredRoute): string => (method === undefined ? path : `${method} ${path}`);

const pathFault = (path: string): string | undefined => {
  const [, first = ''] = path.split('/');
  if (reserved.has(first)) return `the gateway itself answers at /${first}`;
  if (!path.startsWith('/') || canonicalPath(path) !== path || /[?#\s]|\/\.\.(?:\/|$)/.test(path))
    return 'it is not a path in its plain form';
  return parseRoutePath(path) === undefined || first.includes('{')
    ? 'only one segment of it, and not the first, may contain {model}'
    : undefined;
};

const meet = (one: DeclaredRoute, other: DeclaredRoute): boolean =>
  one.method === undefined || other.method === undefined || one.method === other.method;

/** Throws a `PluginError` that names the dialects if two have one route, or one has a path of the gateway's own. */
export const checkRoutes = (declared: readonly DeclaredRoute[]): void => {
  const known = new Map<string, DeclaredRoute[]>();
  for (const route of declared) {
    const fault = pathFault(route.path);
    if (fault !== undefined)
      throw new PluginError(`The route ${shown(route)} of ${route.by} cannot be served: ${fault}.`);
    const alike = known.get(route.path) ?? [];
    const first = alike.find((other) => meet(route, other));
    if (first !== undefined)
      throw new PluginError(`The route ${shown(route)} is declared twice: by ${first.by}, and by ${route.by}.`);
    known.set(route.path, [...alike, route]);
  }
};
