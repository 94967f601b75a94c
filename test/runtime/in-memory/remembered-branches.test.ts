import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { RememberedBranches } from '../../../runtime/in-memory/remembered-branches.ts';
import { toTenant } from '../../support/in-process/sample-exchange.ts';

const [one, other] = [toTenant('one'), toTenant('other')];

describe('RememberedBranches', () => {
  it('forgets a key when its time has passed', () => {
    const clock = createVirtualClock(0);
    const remembered = new RememberedBranches(clock);
    remembered.remember(one, 'key', { branch: 'a', ttlMs: 1000 });
    clock.advance(999);
    expect(remembered.recall(one, 'key')).toBe('a');
    expect(remembered.recall(other, 'key')).toBeUndefined();
    clock.advance(1);
    expect(remembered.recall(one, 'key')).toBeUndefined();
  });

  it('evicts the oldest keys of the tenant with the most keys', () => {
    const remembered = new RememberedBranches(createVirtualClock(0), { max: 10 });
    remembered.remember(other, 'mine', { branch: 'a', ttlMs: 1000 });
    for (let at = 0; at < 100; at += 1) remembered.remember(one, `${at}`, { branch: 'a', ttlMs: 1000 });
    expect(remembered.size).toBe(10);
    expect(remembered.recall(other, 'mine')).toBe('a');
    expect(remembered.recall(one, '99')).toBe('a');
    expect(remembered.recall(one, '90')).toBeUndefined();
  });

  it('counts a key once if it is remembered again', () => {
    const remembered = new RememberedBranches(createVirtualClock(0), { max: 10 });
    for (let at = 0; at < 5; at += 1) remembered.remember(one, 'key', { branch: `${at}`, ttlMs: 1000 });
    expect([remembered.size, remembered.recall(one, 'key')]).toEqual([1, '4']);
  });
});
