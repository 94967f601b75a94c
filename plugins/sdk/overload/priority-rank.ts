import type { Priority } from '../exchange/exchange.ts';

/** All priorities. Requests with the first one are refused first. */
export const priorities: readonly Priority[] = ['low', 'normal', 'high'];

/** The index of a priority. Requests with rank 0 are refused first. */
export type Rank = 0 | 1 | 2;

const ranks: Readonly<Record<Priority, Rank>> = { low: 0, normal: 1, high: 2 };

/** The priority of requests that do not set one. */
export const defaultPriority: Priority = 'normal';

export const priorityRank = (priority: Priority = defaultPriority): Rank => ranks[priority];

export const isPriority = (value: unknown): value is Priority =>
  typeof value === 'string' && Object.hasOwn(ranks, value);
