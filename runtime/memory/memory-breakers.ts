import { LRUCache } from 'lru-cache';
import { admit, type Circuit, closedCircuit, isAvailable, isProbe, settle } from '../../schema/plan/circuit.ts';
import type { Breakers, StateKey, Transition } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';

export interface MemoryBreakersOptions {
  readonly clock: Clock;
  /** The number of circuits kept; 10,000 by default. The least recently used one is evicted, and is closed again. */
  readonly capacity?: number;
}

export interface MemoryBreakers extends Breakers {
  /** The current state of a circuit. */
  circuit(key: StateKey): Circuit;
}

/** Circuits in this process's memory. A closed circuit without failures takes no space. */
export const createMemoryBreakers = ({ clock, capacity = 10_000 }: MemoryBreakersOptions): MemoryBreakers => {
  const circuits = new LRUCache<StateKey, Circuit>({ max: capacity });
  const circuitAt = (key: StateKey): Circuit => circuits.get(key) ?? closedCircuit;
  const change = (key: StateKey, from: Circuit, to: Circuit): Transition | undefined => {
    if (to.state === 'closed' && to.failures.length === 0) circuits.delete(key);
    else if (to !== from) circuits.set(key, to);
    return from.state === to.state ? undefined : { from: from.state, to: to.state };
  };
  return {
    circuit: circuitAt,
    available: (key) => isAvailable(circuitAt(key), clock.monotonic()),
    probes: (key) => isProbe(circuitAt(key), clock.monotonic()),
    admit(key, settings) {
      const from = circuitAt(key);
      const { circuit, probe } = admit(from, clock.monotonic(), settings);
      const changed = change(key, from, circuit);
      return changed === undefined ? { probe } : { probe, changed };
    },
    settle(key, settings, { outcome, probe }) {
      const from = circuitAt(key);
      const { threshold, cooldownMs } = settings;
      return change(key, from, settle(from, clock.monotonic(), { threshold, cooldownMs, outcome, probe }));
    },
  };
};
