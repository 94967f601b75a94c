import type { AnyRouteRow } from '../sdk/route-row.ts';
import type { ControlParts } from './control-parts.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { organisationRoutes } from './workspaces/organisation-routes.ts';
import { workspaceRoutes } from './workspaces/workspace-routes.ts';

/** The routes of every resource. */
export const controlRoutes = (parts: ControlParts): readonly AnyRouteRow[] => [
  ...organisationRoutes(parts),
  ...workspaceRoutes(parts),
  ...keyRoutes(parts),
];
