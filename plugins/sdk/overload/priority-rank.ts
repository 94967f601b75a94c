import type { Priority } from '../exchange/exchange.ts';

/** From the one that is refused first. */
export const priorities: readonly Priority[] = ['low', 'normal', 'high'];

/** The index of a priority: 0 is refused first. */
export type Rank = 0 | 1 | 2;

const ranks: Readonly<Record<Priority, Rank>> = { low: 0, normal: 1, high: 2 };

/** The priority of what says none. */
export const defaultPriority: Priority = 'normal';

export const priorityRank = (priority: Priority = defaultPriority): Rank => ranks[priority];

export const isPriority = (value: unknown): value is Priority =>
  typeof value === 'string' && Object.hasOwn(ranks, value);
