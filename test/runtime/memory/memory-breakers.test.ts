import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/exchange/virtual-clock.ts';
import { toStateKey } from '../../../runtime/engine/target/state-key.ts';
import { createMemoryBreakers } from '../../../runtime/memory/memory-breakers.ts';
import { hashText } from '../../../schema/json/canonical.ts';
import { tenantOf } from '../../support/sample-exchange.ts';
import { breakersContract } from './breakers-contract.ts';

breakersContract('memory', (clock) => createMemoryBreakers({ clock }));

describe('memory breakers', () => {
  const settings = { threshold: 1, cooldownMs: 30_000 };
  const keyOf = (name: string) => toStateKey(tenantOf(name), hashText('leaf'), '');

  it('evict the least recently used circuit when there is no room', () => {
    const breakers = createMemoryBreakers({ clock: createVirtualClock(), capacity: 2 });
    for (const name of ['a', 'b', 'c']) breakers.settle(keyOf(name), settings, { outcome: 'failure', probe: false });
    expect(['a', 'b', 'c'].map((name) => breakers.available(keyOf(name)))).toEqual([true, false, false]);
  });

  it('show a circuit as it stands', () => {
    const breakers = createMemoryBreakers({ clock: createVirtualClock() });
    breakers.settle(keyOf('a'), settings, { outcome: 'failure', probe: false });
    expect(breakers.circuit(keyOf('a'))).toEqual({ state: 'open', until: 30_000 });
    expect(breakers.circuit(keyOf('b'))).toEqual({ state: 'closed', failures: [] });
  });
});
