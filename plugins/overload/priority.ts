import type { Exchange } from '../sdk/exchange/exchange.ts';
import { isPriority, priorityRank, type Rank } from '../sdk/overload/priority-rank.ts';

/**
 * Creates a function that reads the rank of a request: that of its service key, or a lower one from its metadata. `label` is the
 * name of the metadata member; absent if metadata are ignored. A mirrored copy has the lowest rank.
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
