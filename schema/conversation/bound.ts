import type { BoundValue } from './conversation.ts';

/**
 * Values that are bound to the service that created them, in the form for clients of another dialect: `gw1.<scope>.<value>`, so
 * that the next turn says which service created them. A scope consists of letters, digits, `-` and `_`.
 */
export const boundMark = 'gw1.';

const tagged = /^gw1\.([\w-]{1,64})\.(.*)$/s;

/** Returns the value with its scope, for a client. */
export const tagBound = ({ scope, value }: BoundValue): string => `${boundMark}${scope}.${value}`;

/** Parses a value from a client or a provider. A value without a scope has the scope `native`. */
export const readBound = (text: string, kind: BoundValue['kind'], native: string): BoundValue => {
  const [, scope, value] = tagged.exec(text) ?? [];
  return scope === undefined || value === undefined ? { scope: native, kind, value: text } : { scope, kind, value };
};
