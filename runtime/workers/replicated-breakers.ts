import { createMemoryBreakers } from '../in-memory/memory-breakers.ts';
import type { Breakers, MetCircuit, SettledRun, StateKey } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';
import { type CircuitChange, type CircuitNews, shiftCircuit, toSentCircuit } from './circuit-change.ts';

export interface ReplicatedBreakersOptions {
  readonly clock: Clock;
  /** Sends a change to the owner. The changes of one worker arrive in order. */
  readonly send: (change: CircuitChange) => void;
}

export interface ReplicatedBreakers extends Breakers {
  /** Whether a change that was sent may turn out to have opened the shared circuit. */
  readonly isWaiting: boolean;
  /** Takes news of circuits from the owner. */
  receive(news: CircuitNews): void;
}

/**
 * A worker's copy of the circuits that the owner keeps for all workers. Each change is applied here immediately and sent to the
 * owner, which decides. Until the owner has seen all of this worker's changes to a circuit, its news of that circuit is older
 * than the copy here. Runs that change nothing, as nearly all do, send nothing.
 */
export const createReplicatedBreakers = ({ clock, send }: ReplicatedBreakersOptions): ReplicatedBreakers => {
  const copy = createMemoryBreakers({ clock });
  /** The number of each circuit's last change that the owner has not confirmed. */
  const unconfirmed = new Map<StateKey, number>();
  /** By the number of a change that had no effect here: the callback if it has an effect on the shared circuit. */
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
