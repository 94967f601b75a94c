import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { PluginError } from '../engine/plugins/plugin-error.ts';
import type { DeclaredRoute } from './declared-routes.ts';
import { openApiPath } from './open-api-path.ts';
import { toFirstSegment } from './route-table.ts';

/**
 * Returns the first segments of the control plane's paths. Nothing below them is passed to a provider. Throws a `PluginError` if
 * one of them is also the first segment of a dialect's path, which has siblings that are passed on.
 */
export const reservedSegments = (
  plugins: readonly Plugin[],
  declared: readonly DeclaredRoute[],
): ReadonlySet<string> => {
  const reserved = new Set<string>();
  const dialects = new Map(declared.map((each) => [toFirstSegment(each.path), each]));
  for (const { name, routes = [] } of plugins)
    for (const { path, operationId, shared = false } of routes) {
      if (shared) continue;
      const first = toFirstSegment(path);
      const other = dialects.get(first);
      if (other !== undefined)
        throw new PluginError(
          `The route ${operationId} of the plugin "${name}" cannot be served: paths that begin with /${first} belong to ${other.by}.`,
        );
      reserved.add(first);
    }
  const hasRoutes = plugins.some(({ routes = [] }) => routes.length > 0);
  return hasRoutes ? reserved.add(toFirstSegment(openApiPath)) : reserved;
};
