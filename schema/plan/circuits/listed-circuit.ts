import type { CircuitName } from '../../trail/circuit-name.ts';
import type { CircuitState } from '../../trail/trail.ts';
import type { CircuitPlace } from './circuit.ts';

/** A circuit that is not closed, or that has failures that count. */
export interface ListedCircuit {
  readonly state: CircuitState;
  /** Its name among the leaf's circuits; absent if the leaf has only one. */
  readonly of?: CircuitName;
  readonly place?: CircuitPlace;
  /** How many failures count or opened it, plus those of probes since. */
  readonly failures: number;
  /** Its last failure: `timeout`, `network`, or the status of a provider's response, such as `upstream-503`. */
  readonly cause?: string;
  /** For how many milliseconds it has not been closed; absent if it is closed. */
  readonly openMs?: number;
  /** In how many milliseconds a request may try its target again; negative if one may try it now. Absent if it is closed. */
  readonly leftMs?: number;
}
