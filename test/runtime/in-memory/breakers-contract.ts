import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { toStateKey } from '../../../runtime/engine/target/state-key.ts';
import type { Breakers, MetCircuit } from '../../../runtime/ports/breakers.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { hashText } from '../../../schema/json/canonical.ts';
import type { CircuitName } from '../../../schema/trail/circuit-name.ts';
import { toTenant } from '../../support/in-process/sample-exchange.ts';

const settings = { threshold: 2, cooldownMs: 30_000 };
const leaf = hashText('leaf');

const toCircuit = (name: string, of?: CircuitName): MetCircuit => {
  const tenant = toTenant(name);
  const named = of === undefined ? {} : { of };
  return { key: toStateKey({ tenant, leaf, owner: 'credential', ...named }), tenant, leaf, ...named };
};

const key = toCircuit('a');
/** The same leaf of another tenant, and the divided circuits of a leaf. Each is a different circuit. */
const others: readonly MetCircuit[] = [
  toCircuit('b'),
  toCircuit('a', { kind: 'credential' }),
  toCircuit('a', { kind: 'limit' }),
  toCircuit('a', { kind: 'target' }),
  ...['m', 'n', 'm" b', 'b'].flatMap((model) =>
    (['model', 'limit', 'target'] as const).map((kind) => toCircuit('a', { kind, model })),
  ),
];

/** Defines the tests that every implementation of `Breakers` must pass. */
export const breakersContract = (name: string, create: (clock: Clock) => Breakers): void => {
  describe(`${name} as breakers`, () => {
    const begin = () => {
      const clock = createVirtualClock();
      const breakers = create(clock);
      const run = (outcome: 'success' | 'failure' | 'neutral', at = key) => {
        const { probe } = breakers.admit(at, settings);
        return breakers.settle(at, settings, { outcome, probe });
      };
      return { clock, breakers, run };
    };

    it('opens at the threshold, and reports it once', () => {
      const { breakers, run } = begin();
      expect(run('failure')).toBeUndefined();
      expect(breakers.available(key)).toBe(true);
      expect(run('failure')).toEqual({ from: 'closed', to: 'open' });
      expect(breakers.available(key)).toBe(false);
      expect(run('failure')).toBeUndefined();
    });

    it('counts only the failures of the last cooldown', () => {
      const { clock, breakers, run } = begin();
      run('failure');
      clock.advance(30_000);
      run('failure');
      expect(breakers.available(key)).toBe(true);
    });

    it('keeps the circuits of different keys apart', () => {
      expect(new Set([key, ...others].map((circuit) => circuit.key)).size).toBe(others.length + 1);
      for (const one of [key, ...others]) {
        const { breakers, run } = begin();
        run('failure', one);
        run('failure', one);
        const open = [key, ...others].filter((circuit) => !breakers.available(circuit));
        expect(open).toEqual([one]);
      }
    });

    it('admits a run whether or not the circuit is open, but as no probe before the cooldown', () => {
      const { breakers, run } = begin();
      run('failure');
      run('failure');
      expect(breakers.admit(key, settings)).toEqual({ probe: false });
    });

    it('admits one probe after the cooldown, as a lease', () => {
      const { clock, breakers, run } = begin();
      run('failure');
      run('failure');
      clock.advance(30_000);
      expect(breakers.available(key)).toBe(true);
      expect(breakers.admit(key, settings)).toEqual({ probe: true, changed: { from: 'open', to: 'half-open' } });
      expect(breakers.available(key)).toBe(false);
      clock.advance(30_000);
      expect(breakers.available(key)).toBe(true);
    });

    it('reports whether a circuit is closed, and closes one that is proved to work, whatever its state', () => {
      const { clock, breakers, run } = begin();
      expect([breakers.isClosed(key), breakers.prove(key)]).toEqual([true, undefined]);
      run('failure');
      breakers.prove(key);
      // The earlier failure no longer counts.
      run('failure');
      expect(breakers.isClosed(key)).toBe(true);
      run('failure');
      expect(breakers.isClosed(key)).toBe(false);
      clock.advance(30_000);
      expect([breakers.available(key), breakers.isClosed(key)]).toEqual([true, false]);
      expect(breakers.prove(key)).toEqual({ from: 'open', to: 'closed' });
      run('failure');
      run('failure');
      clock.advance(30_000);
      const { probe } = breakers.admit(key, settings);
      expect(breakers.prove(key)).toEqual({ from: 'half-open', to: 'closed' });
      // What the run with the lease reports afterwards counts like that of any other.
      expect(breakers.settle(key, settings, { outcome: 'failure', probe })).toBeUndefined();
      expect(breakers.isClosed(key)).toBe(true);
    });

    it.each([
      ['success', { from: 'half-open', to: 'closed' }, true],
      ['failure', { from: 'half-open', to: 'open' }, false],
      ['neutral', undefined, true],
    ] as const)('lets a probe that ends in %s decide the circuit', (outcome, transition, available) => {
      const { clock, breakers, run } = begin();
      run('failure');
      run('failure');
      clock.advance(30_000);
      expect(run(outcome)).toEqual(transition);
      expect(breakers.available(key)).toBe(available);
    });
  });
};
