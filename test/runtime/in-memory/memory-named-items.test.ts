import { describe, expect, it } from 'vitest';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { MemoryNamedItems } from '../../../runtime/in-memory/memory-named-items.ts';
import type { ItemsOwner } from '../../../runtime/ports/named-items.ts';

const hour = 60 * 60 * 1000;
const owner = (tenant: string, credential = ''): ItemsOwner => ({ tenant: tenant as TenantId, owner: credential });
const item = (id: string, size = 0) => ({ id, type: 'message', text: 'x'.repeat(size) });

const at = (max?: number): { readonly items: MemoryNamedItems; pass(ms: number): void } => {
  let now = 0;
  const items = new MemoryNamedItems({ monotonic: () => now }, max === undefined ? {} : { max });
  return {
    items,
    pass: (ms) => {
      now += ms;
    },
  };
};

describe('items named in answers', () => {
  it('are returned only to their workspace and credential', () => {
    const { items } = at();
    items.remember(owner('a', 'one'), [item('m')]);
    expect(items.recall(owner('a', 'one'), 'm')).toEqual(item('m'));
    expect(items.recall(owner('a', 'two'), 'm')).toBeUndefined();
    expect(items.recall(owner('b', 'one'), 'm')).toBeUndefined();
  });

  it('are remembered for an hour', () => {
    const { items, pass } = at();
    items.remember(owner('a'), [item('m')]);
    pass(hour - 1);
    expect(items.recall(owner('a'), 'm')).toEqual(item('m'));
    pass(1);
    expect(items.recall(owner('a'), 'm')).toBeUndefined();
    items.remember(owner('b'), [item('n')]);
    expect(items.heldBytes).toBeLessThan(1000);
  });

  it('take no more memory than is allowed, and the oldest are evicted first', () => {
    const { items } = at(100_000);
    for (let index = 0; index < 100; index += 1) items.remember(owner('a'), [item(`m${index}`, 4000)]);
    expect(items.heldBytes).toBeLessThanOrEqual(100_000);
    expect(items.recall(owner('a'), 'm0')).toBeUndefined();
    expect(items.recall(owner('a'), 'm99')).toEqual(item('m99', 4000));
  });

  it('of one tenant do not evict those of others that have less than their share', () => {
    const { items } = at(100_000);
    items.remember(owner('small'), [item('mine', 4000)]);
    for (let index = 0; index < 100; index += 1) items.remember(owner('large'), [item(`m${index}`, 4000)]);
    expect(items.recall(owner('small'), 'mine')).toEqual(item('mine', 4000));
    for (let index = 0; index < 5; index += 1) items.remember(owner('small'), [item(`n${index}`, 4000)]);
    expect(items.recall(owner('small'), 'mine')).toEqual(item('mine', 4000));
  });

  it('are skipped if they have no id or are too large, and count once if they are repeated', () => {
    const { items } = at(100_000);
    items.remember(owner('a'), [{ type: 'message' }, item('huge', 100_000)]);
    expect(items.heldBytes).toBe(0);
    items.remember(owner('a'), [item('m', 100)]);
    const once = items.heldBytes;
    items.remember(owner('a'), [item('m', 100)]);
    expect(items.heldBytes).toBe(once);
  });
});
