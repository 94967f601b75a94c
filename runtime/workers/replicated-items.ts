import { MemoryNamedItems } from '../in-memory/memory-named-items.ts';
import type { Clock } from '../ports/clock.ts';
import type { NamedItems } from '../ports/named-items.ts';
import type { RememberedItems } from './calls.ts';

export interface ReplicatedItems extends NamedItems {
  /** Remembers what another worker remembers. */
  receive(remembered: RememberedItems): void;
}

/** Items that every worker remembers, because a later request may reach any of them. */
export const createReplicatedItems = (
  clock: Pick<Clock, 'monotonic'>,
  send: (remembered: RememberedItems) => void,
): ReplicatedItems => {
  const memory = new MemoryNamedItems(clock);
  return {
    remember(of, items) {
      memory.remember(of, items);
      if (items.length > 0) send({ of: { tenant: of.tenant, owner: of.owner }, items });
    },
    holds: (tenant) => memory.holds(tenant),
    recall: (of, id) => memory.recall(of, id),
    receive: ({ of, items }) => memory.remember(of, items),
  };
};
