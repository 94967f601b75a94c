import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const day = 86_400;
const longestAge = 31 * day;
const shortestTimeout = 500;
const longestTimeout = 3_600_000;

/** Durations are of a size that their unit makes likely. */
export const durations: Check = defineCheck({
  name: 'durations',
  create: ({ reporter }) => {
    const report = (
      pointer: JsonPointer,
      setting: string,
      words: { unit: string; duration: string; suggestion: string },
    ) => reporter.report('unlikely-duration', { pointer, part: 'value' }, { setting, ...words });
    return {
      node({ pointer, config: { cache, request_timeout: timeout = 0 } }) {
        const age = cache?.max_age ?? 0;
        const ageAt = childPointer(pointer, 'cache', 'max_age');
        if (age > longestAge)
          report(ageAt, 'max_age', {
            unit: 'seconds',
            duration: `${Math.round(age / day)} days`,
            suggestion: `Write ${Math.round(age / 1000)} if you meant milliseconds.`,
          });
        const timeoutAt = childPointer(pointer, 'request_timeout');
        const milliseconds = 'milliseconds';
        if (timeout > 0 && timeout < shortestTimeout)
          report(timeoutAt, 'request_timeout', {
            unit: milliseconds,
            duration: `${timeout / 1000} seconds`,
            suggestion: `Write ${timeout * 1000} if you meant seconds.`,
          });
        if (timeout > longestTimeout)
          report(timeoutAt, 'request_timeout', {
            unit: milliseconds,
            duration: `${Math.round(timeout / 360_000) / 10} hours`,
            suggestion: 'Check the number of zeros; without the setting it is 600000, ten minutes.',
          });
      },
    };
  },
});
