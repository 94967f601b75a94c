import { createMemoryBreakers } from '../memory/memory-breakers.ts';
import type { Breakers, MetCircuit, SettledRun, StateKey } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';
import { type CircuitChange, type CircuitNews, shiftCircuit, toSentCircuit } from './circuit-change.ts';

export interface ReplicatedBreakersOptions {
  readonly clock: Clock;
  /** Sends a change to the owner; those of one worker arrive in their order. */
  readonly send: (change: CircuitChange) => void;
}

export interface ReplicatedBreakers extends Breakers {
  /** Whether a change that was sent may turn out to have opened a circuit of all. */
  readonly isWaiting: boolean;
  /** Takes what the owner knows of circuits. */
  receive(news: CircuitNews): void;
}

/**
 * A worker's copy of the circuits that the owner keeps for all. Each change is applied here at once and sent to the owner,
 * whose word counts: until it has seen all of this worker's changes to a circuit, what it says of that one is older than
 * what is known here. Runs that change nothing, as nearly all do, send nothing.
 */
export const createReplicatedBreakers = ({ clock, send }: ReplicatedBreakersOptions): ReplicatedBreakers => {
  const copy = createMemoryBreakers({ clock });
  /** The number of the last change of each circuit that the owner has not confirmed. */
  const unconfirmed = new Map<StateKey, number>();
  /** By the number of a change that was none here: what is to be called if it is one where the circuits of all are. */
  const laters = new Map<number, NonNullable<SettledRun['later']>>();
  let sent = 0;
  const sendChange = (change: CircuitChange): void => {
    sent += 1;
    unconfirmed.set(change.met.key, sent);
    send({ ...change, met: toSentCircuit(change.met) });
  };
  const isNew = (met: MetCircuit): boolean => {
    const circuit = copy.circuit(met);
    return circuit.state === 'closed' && circuit.failures.length === 0;
  };
  return {
    get isWaiting() {
      return laters.size > 0;
    },
    available: (met) => copy.available(met),
    isClosed: (met) => copy.isClosed(met),
    probes: (met) => copy.probes(met),
    admit(met, { threshold, cooldownMs }) {
      const settings = { threshold, cooldownMs };
      const admission = copy.admit(met, settings);
      if (admission.probe) sendChange({ kind: 'probe', met, settings });
      return admission;
    },
    settle(met, { threshold, cooldownMs }, { outcome, probe, cause, later }) {
      const settings = { threshold, cooldownMs };
      const changes = probe || (outcome === 'failure' && copy.isClosed(met));
      const changed = copy.settle(met, settings, { outcome, probe, cause });
      if (changes)
        sendChange({ kind: 'settle', met, settings, outcome, probe, ...(cause === undefined ? {} : { cause }) });
      if (changes && changed === undefined && later !== undefined) laters.set(sent, later);
      return changed;
    },
    prove(met) {
      if (isNew(met)) return undefined;
      const changed = copy.prove(met);
      sendChange({ kind: 'prove', met });
      return changed;
    },
    list: (tenant) => copy.list(tenant),
    receive({ seen, states, made }) {
      const later = laters.get(seen);
      for (const number of laters.keys()) if (number <= seen) laters.delete(number);
      if (made !== undefined) later?.(made);
      const now = clock.monotonic();
      for (const { met, circuit } of states) {
        if ((unconfirmed.get(met.key) ?? 0) > seen) continue;
        unconfirmed.delete(met.key);
        copy.put(met, shiftCircuit(circuit, now));
      }
    },
  };
};
