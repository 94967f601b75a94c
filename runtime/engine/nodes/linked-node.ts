import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Reaching } from '../abilities/required-branches.ts';
import type { Run } from '../call/run.ts';

/** A node of a plan, ready to run. */
export interface LinkedNode extends Reaching {
  /** Whether a leaf below has a circuit; if none has, a group need not ask its branches. */
  readonly hasCircuit: boolean;
  /** Rejects with, or throws, a `GatewayError` if no other branch could answer either. */
  execute(run: Run): Promise<GatewayResponse>;
  /** Whether a group should prefer this branch. Constant during a run. */
  available(run: Run): boolean;
  /** Whether a visit that begins now may be the probe of a circuit. */
  mayProbe(run: Run): boolean;
  /** Whether an available leaf that a run can come to calls the saved provider or virtual key of this slug. */
  calls(slug: string, run: Run): boolean;
  /** Whether all leaves that a run can come to call the provider of this id. */
  callsOnly(provider: string, run: Run): boolean;
}
