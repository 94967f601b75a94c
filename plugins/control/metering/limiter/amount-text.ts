import { formatUsd } from '../../../../schema/text/format-usd.ts';
import type { Unit } from '../../kernel/limits/limit-policy.ts';

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** An amount for people: `1 request`, `200 tokens`, `$1.50`. */
export const amountText = (unit: Unit, amount: number): string => {
  if (unit === 'nanoUsd') return `$${formatUsd(amount)}`.replace(/\.\d$/, '$&0');
  return unit === 'requests' ? counted(amount, 'request') : counted(amount, 'token');
};
