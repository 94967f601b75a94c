import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import type { Run } from './run.ts';

/** A node of a plan, ready to run. */
export interface LinkedNode {
  /** Whether a leaf below has a circuit; where none has, a group need not look at its branches. */
  readonly hasCircuit: boolean;
  /** Rejects, or throws, a `GatewayError` where no other branch could answer either. */
  execute(run: Run): Promise<GatewayResponse>;
  /** Whether a group should prefer this branch. The same for the whole of a run. */
  available(run: Run): boolean;
}
