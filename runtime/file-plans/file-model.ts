import type { VirtualTarget } from '../../schema/config/virtual-models.ts';
import type { ServedPlan } from './served-plan.ts';

/** A virtual model of the gateway file, in one generation. */
export interface FileModel {
  readonly target: VirtualTarget;
  /** Undefined while there is no config with the name. */
  readonly served: ServedPlan | undefined;
}
