import type { Charge } from './limits.ts';

/** What a counter has in one window. */
export interface Fill {
  readonly used: number;
  readonly reserved: number;
}

/** Whether a counter admits a charge: the rule of the port, which the script of the Redis engine states once more in Lua. */
export const admits = ({ unit, amount, limit }: Pick<Charge, 'unit' | 'amount' | 'limit'>, fill: Fill): boolean => {
  const total = fill.used + fill.reserved;
  return limit > 0 && (unit === 'requests' ? total + amount <= limit : total < limit);
};
