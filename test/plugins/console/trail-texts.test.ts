import { describe, expect, it } from 'vitest';
import { cacheText, describeStep } from '../../../plugins/console/app/pages/request/trail-texts.ts';

const hit = { kind: 'cached', path: '/targets/1', status: 'SEMANTIC HIT', ageS: 60 };
const miss = { kind: 'missed', path: '/targets/0', similarity: 0.9131 };

describe('the page of a request', () => {
  it('shows the similarity of the question in a cache', () => {
    expect(describeStep({ ...hit, similarity: 0.9732 })).toMatch(
      /^answered from the cache \(SEMANTIC HIT, similarity 0\.9732\), /,
    );
    expect(describeStep(hit)).toMatch(/^answered from the cache \(SEMANTIC HIT\), /);
    expect(describeStep(miss)).toContain('0.9131');
  });

  it('distinguishes a check that failed with an error from one that passed', () => {
    const checked = { kind: 'checked', path: '', phase: 'input', result: 'passed' };
    expect(describeStep(checked)).toBe('input checks: passed');
    expect(describeStep({ ...checked, erred: true })).toBe(
      'input checks: passed, and one or more failed with an error',
    );
  });

  it('shows the result of the cache at the target that answered', () => {
    const trail = [miss, { ...hit, similarity: 0.9732 }];
    const text = (cache_status: string | null, leaf: string | null) => cacheText({ cache_status, leaf, trail });
    expect(text('SEMANTIC HIT', '/targets/1')).toBe('SEMANTIC HIT, similarity 0.9732');
    expect(text('SEMANTIC MISS', '/targets/0')).toBe('SEMANTIC MISS, similarity 0.9131');
    expect(text('MISS', '/targets/2')).toBe('MISS');
    expect(text(null, null)).toBeNull();
  });
});
