import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestName } from '../../schema/closest-name.ts';

const names = ['strategy', 'targets', 'retry', 'cache', 'weight'];

describe('closestName', () => {
  it.each([
    ['strategey', 'strategy'],
    ['tragets', 'targets'],
    ['RETRY', 'retry'],
    ['retyr', 'retry'],
    ['cach', 'cache'],
    ['wait', undefined],
    ['temperature', undefined],
    ['', undefined],
  ])('takes %j for %j', (written, meant) => {
    expect(closestName(written, names)).toBe(meant);
  });

  it('finds a name again with one letter changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(4), (name, at) => {
        expect(closestName(`${name.slice(0, at)}#${name.slice(at + 1)}`, names)).toBe(name);
      }),
    );
  });

  it('gives the first of two that are equally near', () => {
    expect(closestName('bat', ['cat', 'hat'])).toBe('cat');
  });
});
