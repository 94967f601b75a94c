import { createRequire } from 'node:module';
import type { AnyRouteRow } from '../../plugins/sdk/route/route-row.ts';
import { routeMethods } from '../../plugins/sdk/route/route-row-error.ts';

/** A route with the parameters of the path, as written there. */
export interface FoundRow {
  readonly kind: 'row';
  readonly row: AnyRouteRow;
  readonly params: Readonly<Record<string, string>>;
}

/** The result if there is something at the path, but not for this method. */
export interface OtherMethods {
  readonly kind: 'other-methods';
  /** Never empty. */
  readonly allowed: readonly string[];
}

/** `path` is in canonical form, below the base. Undefined if there is nothing. */
export type FindRow = (method: string, path: string) => FoundRow | OtherMethods | undefined;

const require = createRequire(import.meta.url);

/** Adds `HEAD`, which is answered like `GET`, but without the body (RFC 9110 §9.3.2). */
const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods;

/** Builds a router. A literal segment takes precedence over a parameter. */
export const createRouteFinder = (rows: readonly AnyRouteRow[]): FindRow => {
  // Not imported at the top, so that a gateway without routes does not load it.
  const { createRouter, addRoute, findRoute }: typeof import('rou3') = require('rou3');
  const router = createRouter<AnyRouteRow>();
  for (const row of rows) addRoute(router, row.method, row.path.replace(/\{(\w+)\}/g, ':$1'), row);
  return (method, path) => {
    const found = findRoute(router, method === 'HEAD' ? 'GET' : method, path);
    if (found !== undefined) return { kind: 'row', row: found.data, params: found.params ?? {} };
    const allowed = routeMethods.filter((other) => findRoute(router, other, path) !== undefined);
    return allowed.length === 0 ? undefined : { kind: 'other-methods', allowed: withHead(allowed) };
  };
};
