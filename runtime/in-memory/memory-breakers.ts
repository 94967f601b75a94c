import {
  admit,
  type Circuit,
  closedCircuit,
  isAvailable,
  isProbe,
  settle,
} from '../../schema/plan/circuits/circuit.ts';
import type { ListedCircuit } from '../../schema/plan/circuits/listed-circuit.ts';
import type { Breakers, MetCircuit, Transition } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';
import { toListed, withAbout } from './circuit-about.ts';
import { CircuitStore } from './circuit-store.ts';

export interface MemoryBreakersOptions {
  readonly clock: Clock;
  /** The number of circuits kept. Default: 10,000. One that is evicted is closed again. */
  readonly capacity?: number;
}

export interface MemoryBreakers extends Breakers {
  /** Returns the current state of a circuit. */
  circuit(circuit: MetCircuit): Circuit;
  list(tenant: string): readonly ListedCircuit[];
  /** Sets the state of a circuit, as another process knows it. */
  put(circuit: MetCircuit, state: Circuit): void;
}

/** The number of models' circuits that a leaf keeps for a tenant: more than any provider has models that fail at once. */
const modelsPerLeaf = 200;

/** The admission of a closed circuit. Most are closed. */
const admitted: ReturnType<Breakers['admit']> = { probe: false };

/** Creates circuits in this process's memory. A closed circuit without failures takes no space. */
export const createMemoryBreakers = ({ clock, capacity = 10_000 }: MemoryBreakersOptions): MemoryBreakers => {
  const circuits = new CircuitStore({ capacity, modelsPerLeaf });
  const change = (
    circuit: MetCircuit,
    from: Circuit,
    to: Circuit,
    failed?: { readonly cause: string | undefined; readonly cooldownMs: number },
  ): Transition | undefined => {
    if (to.state === 'closed' && to.failures.length === 0) circuits.delete(circuit);
    else if (to !== from)
      circuits.set(circuit, withAbout(to, from, { met: circuit, now: clock.monotonic(), ...failed }));
    return from.state === to.state ? undefined : { from: from.state, to: to.state };
  };
  return {
    circuit: (circuit) => circuits.get(circuit),
    put: (circuit, state) => void change(circuit, circuits.get(circuit), state),
    available(met) {
      const circuit = circuits.get(met);
      return circuit === closedCircuit || isAvailable(circuit, clock.monotonic());
    },
    isClosed: (circuit) => circuits.get(circuit).state === 'closed',
    probes: (circuit) => isProbe(circuits.get(circuit), clock.monotonic()),
    admit(met, settings) {
      const from = circuits.get(met);
      if (from === closedCircuit) return admitted;
      const { circuit, probe } = admit(from, clock.monotonic(), settings);
      const changed = change(met, from, circuit);
      return changed === undefined ? { probe } : { probe, changed };
    },
    settle(met, settings, { outcome, probe, cause }) {
      const from = circuits.get(met);
      if (from === closedCircuit && outcome !== 'failure') return undefined;
      const { threshold, cooldownMs } = settings;
      const to = settle(from, clock.monotonic(), { threshold, cooldownMs, outcome, probe });
      return change(met, from, to, outcome === 'failure' ? { cause, cooldownMs } : undefined);
    },
    prove: (met) => change(met, circuits.get(met), closedCircuit),
    list: (tenant) => circuits.list(tenant).flatMap((circuit) => toListed(circuit, clock.monotonic()) ?? []),
  };
};
