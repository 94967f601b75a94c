import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { DeclaredRoute } from './declared-routes.ts';
import { normaliseSegment } from './normalise-segment.ts';
import { createRouteFinder } from './route-finder.ts';
import { toFirstSegment } from './route-table.ts';

/** The routes of plugins whose first segments other requests use too. */
export interface SharedRoutes {
  /** Whether a request is for one of them. `path` is in canonical form, below the base. */
  has(method: string, path: string): boolean;
  /** Whether one of them replaces a route that somebody declared. */
  replaces(route: DeclaredRoute): boolean;
  /** Whether a segment is a spelling of one of theirs that some servers accept. */
  isMisspelt(first: string): boolean;
}

/** Methods that ask about a path itself, or read it like `GET`. They are not passed on if the gateway has the path. */
const ownMethods: ReadonlySet<string> = new Set(['OPTIONS', 'QUERY']);

const none: SharedRoutes = { has: () => false, replaces: () => false, isMisspelt: () => false };

export const createSharedRoutes = (plugins: readonly Plugin[]): SharedRoutes => {
  const rows = plugins.flatMap(({ routes = [] }) => routes).filter(({ shared = false }) => shared);
  if (rows.length === 0) return none;
  const find = createRouteFinder(rows);
  const segments = new Set(rows.map(({ path }) => toFirstSegment(path)));
  const has: SharedRoutes['has'] = (method, path) => {
    const found = find(method, path);
    return found?.kind === 'row' || (found !== undefined && ownMethods.has(method));
  };
  return {
    has,
    replaces: ({ method, path }) => method !== undefined && has(method, path),
    isMisspelt: (first) => !segments.has(first) && segments.has(normaliseSegment(first)),
  };
};
