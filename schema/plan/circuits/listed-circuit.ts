import type { CircuitName } from '../../trail/circuit-name.ts';
import type { CircuitState } from '../../trail/trail.ts';
import type { CircuitPlace } from './circuit.ts';

/** A circuit that is not closed, or that has failures which count. */
export interface ListedCircuit {
  readonly state: CircuitState;
  /** Its name among the leaf's circuits; absent where the leaf has one. */
  readonly of?: CircuitName;
  readonly place?: CircuitPlace;
  /** The failures that count, or that have opened it, and those of probes since. */
  readonly failures: number;
  /** Its last failure: `timeout`, `network`, or `upstream-503` for what a provider answered. */
  readonly cause?: string;
  /** For how many milliseconds it has not been closed; absent for one that is. */
  readonly openMs?: number;
  /** In how many milliseconds a request may try its target again; below 0 where one may. Absent for one that is closed. */
  readonly leftMs?: number;
}
