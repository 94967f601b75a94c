import type { Target } from '../../../schema/plan/plan.ts';
import type { LeafCall } from './leaf-call.ts';

/** Whether answers follow the client's dialect strictly: as the target specifies. A caller may only relax that. */
export const isStrict = (target: Target, { exchange }: LeafCall): boolean =>
  target.strict && exchange.overrides.strict !== false;
