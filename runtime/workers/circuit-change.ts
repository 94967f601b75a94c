import type { Circuit, CircuitOutcome, CircuitSettings, Instant } from '../../schema/plan/circuits/circuit.ts';
import type { MetCircuit, Transition } from '../ports/breakers.ts';

/** An event that may change a circuit, as the worker that saw it reports it to the owner. */
export type CircuitChange =
  | { readonly kind: 'probe'; readonly met: MetCircuit; readonly settings: CircuitSettings }
  | {
      readonly kind: 'settle';
      readonly met: MetCircuit;
      readonly settings: CircuitSettings;
      readonly outcome: CircuitOutcome;
      readonly probe: boolean;
      readonly cause?: string;
    }
  | { readonly kind: 'prove'; readonly met: MetCircuit };

/** A circuit whose instants are milliseconds relative to now, because the clocks of two processes start at different times. */
export interface CircuitState {
  readonly met: MetCircuit;
  readonly circuit: Circuit;
}

/** The circuits that have changed. They include the first `seen` changes of the worker that receives this. */
export interface CircuitNews {
  readonly seen: number;
  readonly states: readonly CircuitState[];
  /** The transition caused by the last of its changes. */
  readonly made?: Transition;
}

const shiftAbout = ({ about }: Circuit, by: Instant): Pick<Circuit, 'about'> => {
  if (about === undefined) return {};
  const { since } = about;
  return { about: since === undefined ? about : { ...about, since: since + by } };
};

/** Moves all instants of a circuit. */
export const shiftCircuit = (circuit: Circuit, by: Instant): Circuit => {
  const about = shiftAbout(circuit, by);
  switch (circuit.state) {
    case 'closed':
      return { state: 'closed', failures: circuit.failures.map((at) => at + by), ...about };
    case 'open':
      return { state: 'open', until: circuit.until + by, ...about };
    case 'half-open':
      return { state: 'half-open', probeUntil: circuit.probeUntil + by, ...about };
  }
};

/** Picks the parts of a circuit that another process needs. */
export const toSentCircuit = ({ key, tenant, leaf, of, place }: MetCircuit): MetCircuit => ({
  ...{ key, tenant, leaf },
  ...(of === undefined ? {} : { of }),
  ...(place === undefined ? {} : { place }),
});
