import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStateKey } from '../../../runtime/engine/target/state-key.ts';
import { CircuitStore } from '../../../runtime/in-memory/circuit-store.ts';
import type { MetCircuit } from '../../../runtime/ports/breakers.ts';
import { hashText } from '../../../schema/json/canonical.ts';
import { type Circuit, closedCircuit } from '../../../schema/plan/circuits/circuit.ts';
import { toTenant } from '../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const open: Circuit = { state: 'open', until: 1 };

const toCircuit = (name: string, leafName: string, model?: string): MetCircuit => {
  const [tenant, leaf] = [toTenant(name), hashText(leafName)];
  const named = model === undefined ? {} : { of: { kind: 'target', model } as const };
  return { key: toStateKey({ tenant, leaf, owner: '', ...named }), tenant, leaf, ...named };
};

const isKept = (store: CircuitStore, circuit: MetCircuit): boolean => store.get(circuit) !== closedCircuit;

const models = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `m${at}`);

describe('the store of circuits', () => {
  it('keeps the most recently used models of a leaf, and everything of another leaf', () => {
    const store = new CircuitStore({ capacity: 100, modelsPerLeaf: 3 });
    const other = toCircuit('a', 'other', 'm0');
    store.set(other, open);
    for (const model of models(3)) store.set(toCircuit('a', 'leaf', model), open);
    store.get(toCircuit('a', 'leaf', 'm0'));
    store.set(toCircuit('a', 'leaf', 'new'), open);
    expect(['m0', 'm1', 'm2', 'new'].filter((model) => isKept(store, toCircuit('a', 'leaf', model)))).toEqual([
      'm0',
      'm2',
      'new',
    ]);
    expect(isKept(store, other)).toBe(true);
  });

  it('evicts circuits of the tenant with the most, so that its many models evict no circuit of others', () => {
    const store = new CircuitStore({ capacity: 20, modelsPerLeaf: 15 });
    const quiet = models(4).map((model) => toCircuit('quiet', 'leaf', model));
    for (const circuit of quiet) store.set(circuit, open);
    for (const leaf of models(50)) for (const model of models(10)) store.set(toCircuit('loud', leaf, model), open);
    expect(quiet.every((circuit) => isKept(store, circuit))).toBe(true);
    expect(store.size).toBe(20);
  });

  it('counts what it keeps, whatever is set and deleted', () => {
    const step = fc.record({
      tenant: fc.constantFrom('a', 'b', 'c'),
      leaf: fc.constantFrom('l', 'm'),
      model: fc.option(fc.constantFrom(...models(4)), { nil: undefined }),
      deletes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = new CircuitStore({ capacity: 6, modelsPerLeaf: 2 });
        for (const { tenant, leaf, model, deletes } of steps) {
          const circuit = toCircuit(tenant, leaf, model);
          if (deletes) store.delete(circuit);
          else store.set(circuit, open);
          expect(isKept(store, circuit)).toBe(!deletes);
        }
        const all = ['a', 'b', 'c'].flatMap((tenant) =>
          ['l', 'm'].flatMap((leaf) => [undefined, ...models(4)].map((model) => toCircuit(tenant, leaf, model))),
        );
        expect(all.filter((circuit) => isKept(store, circuit)).length).toBe(store.size);
        expect(store.size).toBeLessThanOrEqual(6);
      }),
      lawRuns,
    );
  });
});
