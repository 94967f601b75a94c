import type { NonEmptyArray } from './json.ts';

/** `map` that keeps the promise of at least one item. */
export const mapNonEmpty = <From, To>(
  [first, ...others]: NonEmptyArray<From>,
  to: (item: From, index: number) => To,
): NonEmptyArray<To> => [to(first, 0), ...others.map((other, index) => to(other, index + 1))];
