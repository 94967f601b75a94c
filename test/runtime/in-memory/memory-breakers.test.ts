import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { toStateKey } from '../../../runtime/engine/target/state-key.ts';
import { createMemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import type { MetCircuit } from '../../../runtime/ports/breakers.ts';
import { hashText } from '../../../schema/json/canonical.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import type { CircuitName } from '../../../schema/trail/circuit-name.ts';
import { toTenant } from '../../support/in-process/sample-exchange.ts';
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

  it('show the state of a circuit', () => {
    const breakers = createMemoryBreakers({ clock: createVirtualClock() });
    breakers.settle(toKey('a'), settings, { outcome: 'failure', probe: false });
    expect(breakers.circuit(toKey('a'))).toMatchObject({ state: 'open', until: 30_000 });
    expect(breakers.circuit(toKey('b'))).toEqual({ state: 'closed', failures: [] });
  });

  it('list the circuits of a tenant for people, and omit failures that no longer count', () => {
    const clock = createVirtualClock();
    const breakers = createMemoryBreakers({ clock });
    const place = { config: 'chat', path: toPointer(['targets', 0]), target: 'first' };
    const met = { ...toKey('a', { kind: 'model', model: 'm' }), place };
    const of = { kind: 'model', model: 'm' };
    const slow = { threshold: 2, cooldownMs: 1000 };
    const fail = (cause: string, probe = false) => breakers.settle(met, slow, { outcome: 'failure', probe, cause });
    const list = () => breakers.list(met.tenant);
    fail('network');
    expect(list()).toEqual([{ state: 'closed', failures: 1, cause: 'network', place, of }]);
    clock.advance(1000);
    expect(list()).toEqual([]);
    fail('timeout');
    fail('upstream-503');
    clock.advance(400);
    const opened = { failures: 2, cause: 'upstream-503', place, of };
    expect(list()).toEqual([{ state: 'open', ...opened, openMs: 400, leftMs: 600 }]);
    clock.advance(700);
    expect(breakers.admit(met, slow).probe).toBe(true);
    expect(list()).toEqual([{ state: 'half-open', ...opened, openMs: 1100, leftMs: 1000 }]);
    fail('timeout', true);
    expect(list()).toEqual([{ state: 'open', ...opened, failures: 3, cause: 'timeout', openMs: 1100, leftMs: 1000 }]);
    breakers.prove(met);
    expect(list()).toEqual([]);
    expect(breakers.list('another')).toEqual([]);
  });
});
