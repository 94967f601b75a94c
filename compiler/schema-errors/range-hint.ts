import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';

/** A number outside the range of its setting. */
export interface OutOfRange {
  readonly pointer: JsonPointer;
  readonly value: number;
  /** The limit in words: `at most 5`. */
  readonly bound: string;
}

const ofSettings: Readonly<Record<string, (value: number) => string>> = {
  attempts: () => 'Write a whole number from 0 to 5.',
  request_timeout: () => 'Write 0 or more milliseconds; 0 is the same as omitting it.',
  deadline_ms: () => 'Write the milliseconds that a request may take, such as 30000, or remove it.',
  max_cost_usd: () => 'Write the US dollars that a request may cost, such as 0.5, or remove it.',
  after_ms: () =>
    'Write the milliseconds that the first target may take before the next one is called too, such as 800.',
  budget_percent: () => 'Write how many of 100 requests may be sent to two targets, such as 10.',
  percent: () => 'Write how many of a hundred requests are copied: from 0.0001 to 100.',
  cooldown_interval: (value) =>
    value >= 30 && value <= 3600
      ? `The unit is milliseconds; write ${value * 1000} for ${value} seconds.`
      : `The unit is milliseconds; write ${value < 30_000 ? '30000 (30 seconds) or more' : 'a smaller number, such as 60000'}.`,
  failure_threshold: () => 'Write a number of failures, such as 5.',
};

/** Suggests a number instead of one that is too large or too small. */
export const rangeHint = ({ pointer, value, bound }: OutOfRange): string =>
  ofSettings[fromPointer(pointer).at(-1) ?? '']?.(value) ?? `Write a number that is ${bound}.`;
