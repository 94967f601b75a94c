import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const day = 86_400;
const longestAge = 31 * day;
const shortestTimeout = 500;
const longestTimeout = 3_600_000;

/** Whether a copy inherits the time-out of a node. No deadline ends a copy, because nobody waits for it. */
const isForCopies = ({ mirror, shape }: IrNode): boolean => {
  const targets = shape.kind === 'group' ? shape.targets : [];
  const takesTimeout = ({ own }: IrNode): boolean => own.request_timeout === undefined;
  if (mirror !== undefined && takesTimeout(mirror.target)) return true;
  return targets.some((target) => takesTimeout(target) && isForCopies(target));
};

/** Checks that durations have a plausible size for their unit. */
export const durations: Check = defineCheck({
  name: 'durations',
  create: ({ reporter }) => {
    const report = (
      pointer: JsonPointer,
      setting: string,
      words: { unit: string; duration: string; suggestion: string },
    ) => reporter.report('unlikely-duration', { pointer, part: 'value' }, { setting, ...words });
    let deadlineMs: number | undefined;
    return {
      node(node, parent) {
        const { pointer, config, isCopy = false } = node;
        const { cache, request_timeout: timeout = 0, deadline_ms: deadline } = config;
        if (parent === undefined && !isCopy) deadlineMs = deadline;
        const timeoutAt = childPointer(pointer, 'request_timeout');
        if (deadlineMs !== undefined && timeout >= deadlineMs && !isCopy && !isForCopies(node))
          reporter.report(
            'no-effect',
            { pointer: timeoutAt, part: 'key' },
            {
              setting: 'request_timeout',
              why: `the whole request ends after ${deadlineMs} ms, which is its "deadline_ms"`,
              suggestion: `Write fewer milliseconds than ${deadlineMs}, or remove it.`,
            },
          );
        if (deadline !== undefined && deadline < shortestTimeout)
          report(childPointer(pointer, 'deadline_ms'), 'deadline_ms', {
            unit: 'milliseconds',
            duration: `${deadline / 1000} seconds`,
            suggestion: `Write ${deadline * 1000} if you meant seconds.`,
          });
        const age = cache?.max_age ?? 0;
        const ageAt = childPointer(pointer, 'cache', 'max_age');
        if (age > longestAge)
          report(ageAt, 'max_age', {
            unit: 'seconds',
            duration: `${Math.round(age / day)} days`,
            suggestion: `Write ${Math.round(age / 1000)} if you meant milliseconds.`,
          });
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
