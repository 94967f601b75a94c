import { isSuccess } from '../../../schema/http/status.ts';
import { formatList } from '../../../schema/text/format-list.ts';

/** Returns ranges of whole numbers, which must be sorted: `500 to 503`. */
const toRanges = (statuses: readonly number[]): readonly string[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const status of statuses) {
    const last = ranges.at(-1);
    if (last !== undefined && status === last.to + 1) last.to = status;
    else ranges.push({ from: status, to: status });
  }
  return ranges.flatMap(({ from, to }) => {
    if (from === to) return [`${from}`];
    return to === from + 1 ? [`${from}`, `${to}`] : [`${from} to ${to}`];
  });
};

/** Longer lists are described by the statuses that are not in them. */
const maxNamed = 100;

/** Describes final statuses, as a part of all statuses. */
export const statusText = (statuses: readonly number[], all: readonly number[]): string => {
  const own = new Set(statuses);
  const others = [...new Set(all)].filter((status) => !own.has(status));
  if (others.length === 0) return 'any answer';
  const failures = all.filter((status) => !isSuccess(status));
  if (failures.every((status) => own.has(status)) && others.every(isSuccess) && own.size === new Set(failures).size)
    return 'anything but 2xx';
  const sorted = [...own].sort((a, b) => a - b);
  return sorted.length > maxNamed
    ? `anything but ${formatList(toRanges(others.sort((a, b) => a - b)), 'or')}`
    : formatList(toRanges(sorted), 'or');
};
