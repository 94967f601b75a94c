import type { StoredItems } from '../../plugins/sdk/control-plane/stored-items.ts';
import type { NamedItems, SharedNamedItems } from '../ports/named-items.ts';

/** Returns items in the memory of this process, backed by a store. What was found in the store is remembered here. */
export const sharedNamedItems = (memory: NamedItems, stored: StoredItems): SharedNamedItems => ({
  remember: (of, items) => memory.remember(of, items),
  holds: (tenant) => memory.holds(tenant),
  recall: (of, id) => memory.recall(of, id),
  store(of, items) {
    memory.remember(of, items);
    stored.keep(of, items);
  },
  find(of, ids) {
    const unknown = ids.filter((id) => memory.recall(of, id) === undefined);
    if (unknown.length === 0) return undefined;
    return stored.find(of, unknown).then((items) => {
      memory.remember(of, items);
      return new Map(items.map((item) => [String(item.id), item]));
    });
  },
});
