import type { BoundValue } from './conversation.ts';

/**
 * Values that are bound to the service that made them, as a client of another dialect sees them:
 * `gw1.<scope>.<value>`, so that the next turn says who made them. A scope is letters, digits, `-` and `_`.
 */
export const boundMark = 'gw1.';

const tagged = /^gw1\.([\w-]{1,64})\.(.*)$/s;

/** The value with its scope, for a client. */
export const tagBound = ({ scope, value }: BoundValue): string => `${boundMark}${scope}.${value}`;

/** Reads what a client or a provider wrote; a value without a scope is of the scope `native`. */
export const readBound = (text: string, kind: BoundValue['kind'], native: string): BoundValue => {
  const [, scope, value] = tagged.exec(text) ?? [];
  return scope === undefined || value === undefined ? { scope: native, kind, value: text } : { scope, kind, value };
};
