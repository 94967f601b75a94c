import { formatUsd } from './format-usd.ts';

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** Formats an amount for people: `1 request`, `200 tokens`, `$1.50`. Dollars are passed as billionths. */
export const amountText = (unit: 'requests' | 'tokens' | 'nanoUsd', amount: number): string => {
  if (unit === 'nanoUsd') return `$${formatUsd(amount)}`.replace(/\.\d$/, '$&0');
  return unit === 'requests' ? counted(amount, 'request') : counted(amount, 'token');
};
