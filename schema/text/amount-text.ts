import { formatCount } from './format-count.ts';
import { formatUsd } from './format-usd.ts';

/** Formats an amount for people: `1 request`, `200 tokens`, `$1.50`. Dollars are passed as billionths. */
export const amountText = (unit: 'requests' | 'tokens' | 'nanoUsd', amount: number): string => {
  if (unit === 'nanoUsd') return `$${formatUsd(amount)}`.replace(/\.\d$/, '$&0');
  return formatCount(amount, unit === 'requests' ? 'request' : 'token');
};
