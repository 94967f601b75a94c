import { type Circuit, closedCircuit } from '../../schema/plan/circuits/circuit.ts';
import { createMemoryBreakers } from '../in-memory/memory-breakers.ts';
import type { MetCircuit, StateKey } from '../ports/breakers.ts';
import type { Clock } from '../ports/clock.ts';
import { type CircuitChange, type CircuitNews, type CircuitState, shiftCircuit } from './circuit-change.ts';

export interface SharedCircuitsOptions {
  readonly clock: Clock;
}

interface Member {
  /** How many of its changes have been applied. */
  seen: number;
  readonly send: (news: CircuitNews) => void;
}

const isNew = (circuit: Circuit): boolean => circuit.state === 'closed' && circuit.failures.length === 0;

/**
 * The circuits of all workers, in the owner. Changes are applied in the order in which they arrive. The worker that made one is
 * notified of its result, and so are all others if the circuit changed. If workers start a probe of the same circuit at the same
 * time, the first one's decides.
 */
export class SharedCircuits {
  readonly #clock: Clock;
  readonly #breakers: ReturnType<typeof createMemoryBreakers>;
  readonly #members = new Map<number, Member>();
  /** The circuits whose state differs from that of a new one. */
  readonly #known = new Map<StateKey, MetCircuit>();
  /** The workers whose probes decide. */
  readonly #probers = new Map<StateKey, number>();

  constructor({ clock }: SharedCircuitsOptions) {
    this.#clock = clock;
    this.#breakers = createMemoryBreakers({ clock });
  }

  /** Adds a worker. Returns the circuits that it starts with. */
  join(worker: number, send: (news: CircuitNews) => void): readonly CircuitState[] {
    this.#members.set(worker, { seen: 0, send });
    return [...this.#known.values()].map((met) => this.#state(met)).filter(({ circuit }) => !isNew(circuit));
  }

  /** A probe of a worker that has ended lasts for as long as it may. */
  leave(worker: number): void {
    this.#members.delete(worker);
    for (const [key, prober] of this.#probers) if (prober === worker) this.#probers.delete(key);
  }

  apply(worker: number, change: CircuitChange): void {
    const member = this.#members.get(worker);
    if (member === undefined) return;
    const { met } = change;
    const before = this.#breakers.circuit(met);
    this.#change(worker, change);
    member.seen += 1;
    const after = this.#breakers.circuit(met);
    if (isNew(after)) this.#known.delete(met.key);
    else this.#known.set(met.key, met);
    if (after.state !== 'half-open') this.#probers.delete(met.key);
    const states = [this.#state(met)];
    const made = before.state === after.state ? {} : { made: { from: before.state, to: after.state } };
    for (const [id, { seen, send }] of this.#members)
      if (id === worker) send({ seen, states, ...made });
      else if (after !== before) send({ seen, states });
  }

  #change(worker: number, change: CircuitChange): void {
    const { met } = change;
    switch (change.kind) {
      case 'probe':
        if (this.#breakers.admit(met, change.settings).probe) this.#probers.set(met.key, worker);
        break;
      case 'settle': {
        const probe = change.probe && this.#probers.get(met.key) === worker;
        const { outcome, cause } = change;
        if (probe || !change.probe) this.#breakers.settle(met, change.settings, { outcome, probe, cause });
        break;
      }
      case 'prove':
        this.#breakers.prove(met);
        break;
    }
  }

  #state(met: MetCircuit): CircuitState {
    const circuit = this.#breakers.circuit(met);
    return { met, circuit: isNew(circuit) ? closedCircuit : shiftCircuit(circuit, -this.#clock.monotonic()) };
  }
}
