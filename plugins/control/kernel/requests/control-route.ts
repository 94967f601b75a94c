import type { AnyRouteRow } from '../../../sdk/route/route-row.ts';
import type { Scope } from './scopes.ts';

/** A route of the control plane: it requires a scope that keys can have. */
export interface ControlRoute extends AnyRouteRow {
  readonly scope: Scope | null;
}
