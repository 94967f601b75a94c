import type { AnyRouteRow } from '../sdk/route-row.ts';
import type { ControlParts } from './control-parts.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { promptRoutes } from './prompts/prompt-routes.ts';

/** The routes of every resource. */
export const controlRoutes = (parts: ControlParts): readonly AnyRouteRow[] => [
  ...keyRoutes(parts),
  ...promptRoutes(parts),
];
