import { describe, expect, it } from 'vitest';
import { compile } from '../../../../compiler/compile.ts';
import { processorMs } from '../../../support/gateways/processor-time.ts';
import { testCatalogue as catalogue, testSaved as saved } from '../../../support/plans/catalogue.ts';

const listing = (values: readonly unknown[]): string =>
  JSON.stringify({
    strategy: {
      mode: 'conditional',
      conditions: [{ query: { 'metadata.user': { $in: values } }, then: 'a' }],
      default: 'b',
    },
    targets: [
      { name: 'a', provider: '@openai-prod' },
      { name: 'b', provider: '@azure-prod' },
    ],
  });

describe('a long list of values', () => {
  it('of 150,000 items is checked within two seconds', () => {
    const text = listing(Array.from({ length: 150_000 }, (_, index) => index));
    expect(processorMs(() => compile(text, { trust: 'saved', catalogue, saved }))).toBeLessThan(2000);
  });

  it('has each repeated value reported', () => {
    const { diagnostics } = compile(listing(['x', 1, '1', 'x', null, true, 1]), {
      trust: 'operator',
      catalogue,
      saved,
    });
    expect(diagnostics.filter(({ code }) => code === 'duplicate-item').map(({ pointer }) => pointer)).toEqual([
      '/strategy/conditions/0/query/metadata.user/$in/3',
      '/strategy/conditions/0/query/metadata.user/$in/6',
    ]);
  });
});
