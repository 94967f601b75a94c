import { routePathError } from '../../plugins/sdk/route/route-path.ts';
import { PluginError } from '../engine/plugins/plugin-error.ts';
import type { DeclaredRoute } from './declared-routes.ts';

const shown = ({ method, path }: DeclaredRoute): string => (method === undefined ? path : `${method} ${path}`);

const meet = (one: DeclaredRoute, other: DeclaredRoute): boolean =>
  one.method === undefined || other.method === undefined || one.method === other.method;

/** Throws a `PluginError` that names the dialects if two have the same route, or one has a path of the gateway itself. */
export const checkRoutes = (declared: readonly DeclaredRoute[]): void => {
  const known = new Map<string, DeclaredRoute[]>();
  for (const route of declared) {
    const error = routePathError(route.path);
    if (error !== undefined)
      throw new PluginError(`The route ${shown(route)} of ${route.by} cannot be served: ${error}.`);
    const alike = known.get(route.path) ?? [];
    const first = alike.find((other) => meet(route, other));
    if (first !== undefined)
      throw new PluginError(`The route ${shown(route)} is declared twice: by ${first.by}, and by ${route.by}.`);
    known.set(route.path, [...alike, route]);
  }
};
