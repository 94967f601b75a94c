import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheHitRate } from '../../../schema/usage/cache-hit-rate.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const consistent = fc
  .record({ cacheRead: fc.nat(1_000_000), fresh: fc.nat(1_000_000) })
  .map(({ cacheRead, fresh }) => ({ total: cacheRead + fresh, cacheRead }));

const odd = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, 2 ** 53, Number.MAX_VALUE));

describe('the share of input that was read from prompt caches', () => {
  it('is the sum of the reads divided by the sum of the input', () => {
    fc.assert(
      fc.property(fc.array(consistent, { maxLength: 5 }), (inputs) => {
        const all = inputs.reduce((sum, { total }) => sum + total, 0);
        const read = inputs.reduce((sum, { cacheRead }) => sum + cacheRead, 0);
        const rate = cacheHitRate(inputs);
        if (all === 0) expect(rate).toBeUndefined();
        else expect(Math.abs((rate ?? Number.NaN) - read / all)).toBeLessThanOrEqual(0.000_051);
      }),
      lawRuns,
    );
  });

  it('ignores attempts whose providers report no reads', () => {
    fc.assert(
      fc.property(fc.array(consistent), fc.array(fc.record({ total: fc.nat() })), (inputs, silent) => {
        expect(cacheHitRate([...silent, ...inputs])).toBe(cacheHitRate(inputs));
      }),
      lawRuns,
    );
  });

  it('is between 0 and 1 or unknown, whatever a provider reports', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ total: odd, cacheRead: fc.option(odd, { nil: undefined }) })), (inputs) => {
        const rate = cacheHitRate(inputs) ?? 0;
        expect(rate).toBeGreaterThanOrEqual(0);
        expect(rate).toBeLessThanOrEqual(1);
      }),
      lawRuns,
    );
  });
});
