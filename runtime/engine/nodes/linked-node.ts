import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Run } from '../call/run.ts';
import type { Reaching } from '../capabilities/required-branches.ts';

/** A node of a plan, ready to run. */
export interface LinkedNode extends Reaching {
  /** Whether a leaf below has a circuit. If none has, a group need not check whether its branches are available. */
  readonly hasCircuit: boolean;
  /** Throws a `GatewayError`, or rejects with one, if no other branch could answer either. */
  execute(run: Run): Promise<GatewayResponse>;
  /** Whether a group should prefer this branch. Constant during a run. */
  available(run: Run): boolean;
  /** Whether a visit that begins now could be the probe of a circuit. */
  mayProbe(run: Run): boolean;
  /** Whether an available leaf that a run can reach calls the saved provider or virtual key with this slug. */
  calls(slug: string, run: Run): boolean;
  /** Whether all leaves that a run can reach call the provider with this id. */
  callsOnly(provider: string, run: Run): boolean;
}
