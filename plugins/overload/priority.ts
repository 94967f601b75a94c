import type { Exchange, Priority } from '../sdk/exchange/exchange.ts';

/** From the one that is refused first. */
export const priorities: readonly Priority[] = ['low', 'normal', 'high'];

/** The index of a priority: 0 is refused first. */
export type Rank = 0 | 1 | 2;

const ranks: Readonly<Record<Priority, Rank>> = { low: 0, normal: 1, high: 2 };

const isPriority = (value: unknown): value is Priority => typeof value === 'string' && Object.hasOwn(ranks, value);

/**
 * Links how the rank of a request is read: that of its service key, or a lower one that its metadata ask for. `label` is the
 * name of the member of the metadata; absent: they do not matter. A copy that a mirror sends has the lowest.
 */
export const rankReader =
  (label: string | undefined) =>
  (exchange: Exchange): Rank => {
    if (exchange.mirrorOf !== undefined) return ranks.low;
    const ceiling = ranks[exchange.principal.defaults?.priority ?? 'normal'];
    if (label === undefined || ceiling === ranks.low) return ceiling;
    const asked = exchange.facts.metadata[label];
    return isPriority(asked) && ranks[asked] < ceiling ? ranks[asked] : ceiling;
  };
