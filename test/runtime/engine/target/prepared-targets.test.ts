import { describe, expect, it } from 'vitest';
import type { PreparedTarget } from '../../../../runtime/engine/target/prepared-target.ts';
import { createPreparedTargets } from '../../../../runtime/engine/target/prepared-targets.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';

/** Returns how often targets are prepared if each key is requested twice, one key after another. */
const preparations = (keys: readonly string[]): number => {
  const targets = createPreparedTargets(systemClock);
  let prepared = 0;
  const prepare = (): PreparedTarget => {
    prepared += 1;
    return {} as PreparedTarget;
  };
  for (const _ of [1, 2]) for (const key of keys) targets.get(key, prepare);
  return prepared;
};

describe('the targets that requests bring', () => {
  it('are prepared once while they fit', () => {
    expect(preparations(Array.from({ length: 1000 }, (_, index) => `key-${index}`))).toBe(1000);
  });

  it('are evicted by the size of what they were made from', () => {
    const secrets = 's'.repeat(100_000);
    expect(preparations(Array.from({ length: 1000 }, (_, index) => `${index} ${secrets}`))).toBe(2000);
  });
});
