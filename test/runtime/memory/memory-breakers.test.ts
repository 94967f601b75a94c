import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/exchange/virtual-clock.ts';
import { toStateKey } from '../../../runtime/engine/target/state-key.ts';
import { createMemoryBreakers } from '../../../runtime/memory/memory-breakers.ts';
import type { MetCircuit } from '../../../runtime/ports/breakers.ts';
import { hashText } from '../../../schema/json/canonical.ts';
import type { CircuitName } from '../../../schema/trail/circuit-name.ts';
import { toTenant } from '../../support/sample-exchange.ts';
import { breakersContract } from './breakers-contract.ts';

breakersContract('memory', (clock) => createMemoryBreakers({ clock }));

describe('memory breakers', () => {
  const settings = { threshold: 1, cooldownMs: 30_000 };
  const leaf = hashText('leaf');
  const toKey = (name: string, of?: CircuitName): MetCircuit => {
    const tenant = toTenant(name);
    return { key: toStateKey({ tenant, leaf, owner: '', ...(of && { of }) }), tenant, leaf, ...(of && { of }) };
  };

  it('evict the least recently used circuit when there is no room', () => {
    const breakers = createMemoryBreakers({ clock: createVirtualClock(), capacity: 2 });
    for (const name of ['a', 'b', 'c']) breakers.settle(toKey(name), settings, { outcome: 'failure', probe: false });
    expect(['a', 'b', 'c'].map((name) => breakers.available(toKey(name)))).toEqual([true, false, false]);
  });

  it('show a circuit as it stands', () => {
    const breakers = createMemoryBreakers({ clock: createVirtualClock() });
    breakers.settle(toKey('a'), settings, { outcome: 'failure', probe: false });
    expect(breakers.circuit(toKey('a'))).toEqual({ state: 'open', until: 30_000 });
    expect(breakers.circuit(toKey('b'))).toEqual({ state: 'closed', failures: [] });
  });
});
