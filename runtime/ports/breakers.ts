import type { CircuitOutcome, CircuitSettings } from '../../schema/plan/circuit.ts';
import type { CircuitState } from '../../schema/trail/trail.ts';

declare const stateKey: unique symbol;

/** The key of a circuit: made only by `toStateKey`, from tenant, leaf and what a request chose of its target. */
export type StateKey = string & { readonly [stateKey]: true };

export interface Transition {
  readonly from: CircuitState;
  readonly to: CircuitState;
}

/** Circuits by key. `available` is local and synchronous; a shared store is synchronised behind it. */
export interface Breakers {
  available(key: StateKey): boolean;
  /** Whether a run of a leaf that began now would be the probe of a circuit; local and synchronous too. */
  probes(key: StateKey): boolean;
  /** Registers a run of a leaf. Always succeeds; `probe` says whether its outcome decides a half-open circuit. */
  admit(key: StateKey, settings: CircuitSettings): { readonly probe: boolean; readonly changed?: Transition };
  settle(
    key: StateKey,
    settings: CircuitSettings,
    run: { readonly outcome: CircuitOutcome; readonly probe: boolean },
  ): Transition | undefined;
}
