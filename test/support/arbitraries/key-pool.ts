import fc from 'fast-check';
import type { KeyPool, PoolKey } from '../../../schema/plan/plan.ts';

const key = (name: string, weight = 1): PoolKey => ({
  apiKey: { kind: 'reference', ref: `\${env:${name}}` },
  weight,
});

/** Key pools, some with the same first key, which makes them one pool. */
const keyPools: readonly KeyPool[] = [
  { kind: 'keys', keys: [key('KEY_A'), key('KEY_B')] },
  { kind: 'keys', keys: [key('KEY_A', 2), key('KEY_B'), key('KEY_C')] },
  { kind: 'keys', keys: [key('KEY_B'), key('KEY_C', 0), key('KEY_A', 3)], accounts: 'several' },
  { kind: 'keys', keys: [key('KEY_C')] },
];

/** The keys of a target. Most targets have none. */
export const keyPool: fc.Arbitrary<KeyPool | null> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(...keyPools) },
);
