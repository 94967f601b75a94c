import { checkFailedStatus, deniedStatus } from '../../../schema/http/status.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { backoff } from '../../../schema/plan/schedule.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const day = 86_400;
const longestAge = 31 * day;
const shortestTimeout = 500;
const longestTimeout = 3_600_000;

/** Whether a copy inherits a setting of a node. No deadline ends a copy, because nobody waits for it. */
const isForCopies = ({ mirror, shape }: IrNode, setting: 'request_timeout' | 'retry'): boolean => {
  const targets = shape.kind === 'group' ? shape.targets : [];
  const inherits = ({ own }: IrNode): boolean => own[setting] === undefined;
  if (mirror !== undefined && inherits(mirror.target)) return true;
  return targets.some((target) => inherits(target) && isForCopies(target, setting));
};

type Retry = NonNullable<IrNode['config']['retry']>;

/**
 * Returns the first retry that is never made because of a deadline, and the shortest waits before it. There is none if a provider
 * may ask for shorter waits, or if retries follow a check, for which nothing waits.
 */
const firstLateRetry = (
  { attempts = 0, on_status_codes: on = [], use_retry_after_headers: followsProvider = false }: Retry,
  deadlineMs: number,
): { readonly retry: number; readonly ms: number } | undefined => {
  if (followsProvider || on.includes(deniedStatus) || on.includes(checkFailedStatus)) return undefined;
  for (let retry = 1, ms = 0; retry <= attempts; retry += 1) {
    ms += backoff(retry).from;
    if (ms >= deadlineMs) return { retry, ms };
  }
  return undefined;
};

/** Checks that durations have a plausible size for their unit, and that waits fit the deadline of the request. */
export const durations: Check = defineCheck({
  name: 'durations',
  create: ({ reporter }) => {
    const report = (
      pointer: JsonPointer,
      setting: string,
      words: { unit: string; duration: string; suggestion: string },
    ) => reporter.report('unlikely-duration', { pointer, part: 'value' }, { setting, ...words });
    const reportLateRetries = (node: IrNode, deadlineMs: number): void => {
      const { retry } = node.config;
      const late = retry === undefined || isForCopies(node, 'retry') ? undefined : firstLateRetry(retry, deadlineMs);
      if (late === undefined) return;
      const at = childPointer(node.pointer, 'retry', 'attempts');
      reporter.report('late-retries', { pointer: at, part: 'value' }, { ...late, deadlineMs });
    };
    let deadlineMs: number | undefined;
    return {
      node(node, parent) {
        const { pointer, config, isCopy = false } = node;
        const { cache, request_timeout: timeout = 0, deadline_ms: deadline } = config;
        if (parent === undefined && !isCopy) deadlineMs = deadline;
        const timeoutAt = childPointer(pointer, 'request_timeout');
        if (deadlineMs !== undefined && timeout >= deadlineMs && !isCopy && !isForCopies(node, 'request_timeout'))
          reporter.report(
            'no-effect',
            { pointer: timeoutAt, part: 'key' },
            {
              setting: 'request_timeout',
              why: `the whole request ends after ${deadlineMs} ms, which is its "deadline_ms"`,
              suggestion: `Write fewer milliseconds than ${deadlineMs}, or remove it.`,
            },
          );
        if (deadlineMs !== undefined && !isCopy) reportLateRetries(node, deadlineMs);
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
