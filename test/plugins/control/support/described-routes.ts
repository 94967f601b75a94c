import type { ResourceParts } from '../../../../plugins/control/kernel/resource/define-resource.ts';
import { resourceRoutes } from '../../../../plugins/control/kernel/resource/resource-routes.ts';
import { resources } from '../../../../plugins/control/resources.ts';
import type { AnyRouteRow } from '../../../../plugins/sdk/route/route-row.ts';

/** Returns the routes of all described resources. */
export const describedRoutes = (parts: ResourceParts): readonly AnyRouteRow[] =>
  resources.flatMap((resource) => resourceRoutes(resource, parts));
