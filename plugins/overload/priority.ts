import type { Exchange } from '../sdk/exchange/exchange.ts';
import { isPriority, priorityRank, type Rank } from '../sdk/overload/priority-rank.ts';

/**
 * Links how the rank of a request is read: that of its service key, or a lower one that its metadata ask for. `label` is the
 * name of the member of the metadata; absent: they do not matter. A copy that a mirror sends has the lowest.
 */
export const rankReader =
  (label: string | undefined) =>
  (exchange: Exchange): Rank => {
    if (exchange.mirrorOf !== undefined) return 0;
    const ceiling = priorityRank(exchange.principal.defaults?.priority);
    if (label === undefined || ceiling === 0) return ceiling;
    const asked = exchange.facts.metadata[label];
    return isPriority(asked) && priorityRank(asked) < ceiling ? priorityRank(asked) : ceiling;
  };
