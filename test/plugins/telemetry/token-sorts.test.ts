import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eachTokenSort } from '../../../plugins/telemetry/metrics/token-sorts.ts';

const count = fc.nat(1000);
const someUsage = fc.record({
  kind: fc.constant('reported' as const),
  model: fc.constant('m'),
  input: fc.record(
    { total: count, cacheRead: count, cacheWrite: fc.record({ '5m': count, '1h': count }) },
    { requiredKeys: ['total'] },
  ),
  output: fc.record({ total: count, reasoning: count }, { requiredKeys: ['total'] }),
});

const ofOutput = new Set(['output', 'reasoning']);

it('the sorts of tokens add up to the totals, even if a provider reports parts that exceed them', () => {
  fc.assert(
    fc.property(someUsage, (usage) => {
      const sums = { input: 0, output: 0 };
      eachTokenSort(usage, (sort, tokens) => {
        expect(tokens).toBeGreaterThanOrEqual(0);
        sums[ofOutput.has(sort) ? 'output' : 'input'] += tokens;
      });
      expect(sums).toEqual({ input: usage.input.total, output: usage.output.total });
    }),
  );
});
