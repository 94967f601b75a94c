import type { NonEmptyArray } from './json.ts';

/** Like `map`, but keeps the type of a list with at least one item. */
export const mapNonEmpty = <From, To>(
  [first, ...others]: NonEmptyArray<From>,
  to: (item: From, index: number) => To,
): NonEmptyArray<To> => [to(first, 0), ...others.map((other, index) => to(other, index + 1))];
