/** Formats a count with its noun: `1 retry`, `2 retries`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Formats a number for people, with separators of thousands: `32,768`. */
export const formatNumber = (value: number): string => value.toLocaleString('en-US');
