import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountErrors, fromWhole, toWhole } from '../../../../../plugins/control/kernel/limits/usage-limits.ts';

const isRight = (value: number, type: 'cost' | 'tokens') => amountErrors([], value, type).length === 0;

describe('an amount', () => {
  it('in US dollars is converted to a whole number of billionths without loss', () => {
    expect([0.1, 0.29, 1.1, 4.35, 1e-9, 1e6].map((value) => toWhole(value, 'cost'))).toEqual([
      100_000_000, 290_000_000, 1_100_000_000, 4_350_000_000, 1, 1_000_000_000_000_000,
    ]);
    expect(toWhole(9_007_199.254_740_99, 'cost')).toBe(Number.MAX_SAFE_INTEGER - 1);
  });

  it('written as a decimal keeps its value when it is converted and converted back', () => {
    const whole = fc.oneof(fc.maxSafeNat(), fc.nat(2_000_000_000));
    fc.assert(
      fc.property(whole, (nano) => {
        const digits = String(nano).padStart(10, '0');
        const dollars = Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`);
        fc.pre(isRight(dollars, 'cost'));
        const stored = toWhole(dollars, 'cost');
        expect(fromWhole(stored, 'cost')).toBe(dollars);
        // A number keeps at least 15 significant digits.
        if (digits.replace(/^0+/, '').length <= 15) expect(stored).toBe(nano);
      }),
    );
  });

  it('is either converted exactly or refused', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const type of ['cost', 'tokens'] as const) {
          const stored = toWhole(value, type);
          if (isRight(value, type)) {
            expect(Number.isSafeInteger(stored)).toBe(true);
            expect(fromWhole(stored, type)).toBe(value);
          } else expect(Number.isSafeInteger(stored)).toBe(false);
        }
      }),
    );
  });
});
