import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import type { ContentHash } from '../../schema/json/canonical.ts';
import type { CircuitOutcome, CircuitPlace, CircuitSettings } from '../../schema/plan/circuits/circuit.ts';
import type { ListedCircuit } from '../../schema/plan/circuits/listed-circuit.ts';
import type { CircuitName } from '../../schema/trail/circuit-name.ts';
import type { CircuitState } from '../../schema/trail/trail.ts';

declare const stateKey: unique symbol;

/** The key of a circuit. Created only by `toStateKey`, from tenant, leaf and what a request chose of its target. */
export type StateKey = string & { readonly [stateKey]: true };

/** A circuit that applies to a run of a leaf. */
export interface MetCircuit {
  readonly key: StateKey;
  readonly tenant: TenantId;
  /** The leaf. A credential's circuit is shared by leaves. */
  readonly leaf: ContentHash;
  /** Its name among the leaf's circuits. Absent if the leaf has only one. */
  readonly of?: CircuitName;
  /** The place of the leaf, for people. */
  readonly place?: CircuitPlace;
}

export interface Transition {
  readonly from: CircuitState;
  readonly to: CircuitState;
  /** As recorded, if the request whose trail is replayed may have named another model. */
  readonly of?: CircuitName;
}

/** How a run of a leaf ended. */
export interface SettledRun {
  readonly outcome: CircuitOutcome;
  readonly probe: boolean;
  /** The failure, for people: `timeout`, `network` or `upstream-503`. */
  readonly cause?: string | undefined;
  /** Called if it becomes known only later that this run changed the circuit, because several processes share it. */
  readonly later?: ((changed: Transition) => void) | undefined;
}

/** Circuits by key. `available` is local and synchronous. A shared store is synchronised behind it. */
export interface Breakers {
  available(circuit: MetCircuit): boolean;
  isClosed(circuit: MetCircuit): boolean;
  /** Whether a run of a leaf that began now would be the probe of a circuit. Local and synchronous, too. */
  probes(circuit: MetCircuit): boolean;
  /** Registers a run of a leaf. Always succeeds. `probe` says whether its outcome decides a half-open circuit. */
  admit(circuit: MetCircuit, settings: CircuitSettings): { readonly probe: boolean; readonly changed?: Transition };
  settle(circuit: MetCircuit, settings: CircuitSettings, run: SettledRun): Transition | undefined;
  /** Closes a circuit whose owner was seen to work, whatever its state. */
  prove(circuit: MetCircuit): Transition | undefined;
  /** Lists the circuits of a tenant that are not closed, or have failures. Absent if they are not shown to people. */
  list?(tenant: string): readonly ListedCircuit[];
}
