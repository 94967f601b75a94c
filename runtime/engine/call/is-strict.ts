import type { Target } from '../../../schema/plan/plan.ts';
import type { LeafCall } from './leaf-call.ts';

/** Whether answers follow the client's dialect strictly: as the target says, which a caller may only loosen. */
export const isStrict = (target: Target, { exchange }: LeafCall): boolean =>
  target.strict && exchange.overrides.strict !== false;
