/** Formats a count with its noun: `1 retry`, `2 retries`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
