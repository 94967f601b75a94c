import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import { type Circuit, closedCircuit } from '../../schema/plan/circuits/circuit.ts';
import type { MetCircuit, StateKey } from '../ports/breakers.ts';
import { largestShare } from './largest-share.ts';

export interface CircuitStoreOptions {
  /** The number of circuits of all tenants together. */
  readonly capacity: number;
  /** The number of circuits of models that one leaf keeps for one tenant. */
  readonly modelsPerLeaf: number;
}

/** The circuits of one tenant: those of a leaf's models by leaf, all others in one group. The most recently used are last. */
interface TenantCircuits {
  size: number;
  readonly groups: Map<string, Map<StateKey, Circuit>>;
}

const firstKey = <Key>(map: ReadonlyMap<Key, unknown>): Key | undefined => map.keys().next().value;

const moveToEnd = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.delete(key);
  map.set(key, value);
};

/** Callers choose models, so each leaf keeps only a limited number of their circuits. */
const groupOf = ({ leaf, of }: MetCircuit): string => (of?.model === undefined ? '' : leaf);

/**
 * Circuits that are not closed, or have failures. If there is no room, the least recently used are evicted: of the models of one
 * leaf, or of the tenant that has the most.
 */
export class CircuitStore {
  readonly #options: CircuitStoreOptions;
  readonly #tenants = new Map<TenantId, TenantCircuits>();
  #size = 0;

  constructor(options: CircuitStoreOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns a circuit. One that is not kept is closed. */
  get(circuit: MetCircuit): Circuit {
    if (this.#size === 0) return closedCircuit;
    const own = this.#tenants.get(circuit.tenant);
    const group = own?.groups.get(groupOf(circuit));
    const found = group?.get(circuit.key);
    if (own === undefined || group === undefined || found === undefined) return closedCircuit;
    moveToEnd(group, circuit.key, found);
    moveToEnd(own.groups, groupOf(circuit), group);
    return found;
  }

  /** Lists the circuits of a tenant. */
  list(tenant: string): readonly Circuit[] {
    const own = this.#tenants.get(tenant as TenantId);
    return own === undefined ? [] : [...own.groups.values()].flatMap((group) => [...group.values()]);
  }

  set(circuit: MetCircuit, state: Circuit): void {
    this.delete(circuit);
    while (this.#size >= this.#options.capacity && this.#removeOfLargest());
    const own = this.#tenants.get(circuit.tenant) ?? { size: 0, groups: new Map() };
    this.#tenants.set(circuit.tenant, own);
    const name = groupOf(circuit);
    const group = own.groups.get(name) ?? new Map<StateKey, Circuit>();
    group.set(circuit.key, state);
    moveToEnd(own.groups, name, group);
    own.size += 1;
    this.#size += 1;
    if (name !== '' && group.size > this.#options.modelsPerLeaf) this.#removeOldest(circuit.tenant, name);
  }

  delete(circuit: MetCircuit): void {
    this.#remove(circuit.tenant, groupOf(circuit), circuit.key);
  }

  #remove(tenant: TenantId, name: string, key: StateKey): void {
    const own = this.#tenants.get(tenant);
    const group = own?.groups.get(name);
    if (own === undefined || group?.delete(key) !== true) return;
    if (group.size === 0) own.groups.delete(name);
    own.size -= 1;
    this.#size -= 1;
    if (own.size === 0) this.#tenants.delete(tenant);
  }

  #removeOldest(tenant: TenantId, name: string): void {
    const group = this.#tenants.get(tenant)?.groups.get(name);
    const oldest = group && firstKey(group);
    if (oldest !== undefined) this.#remove(tenant, name, oldest);
  }

  /** Returns whether there was one to remove. */
  #removeOfLargest(): boolean {
    const tenant = largestShare(this.#tenants);
    const name = tenant && firstKey(this.#tenants.get(tenant)?.groups ?? new Map<string, never>());
    if (tenant === undefined || name === undefined) return false;
    this.#removeOldest(tenant, name);
    return true;
  }
}
