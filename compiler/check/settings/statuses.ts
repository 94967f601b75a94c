import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { isPossibleStatus } from '../../lower/status-codes.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Whether a fallback may call its next target without an answer: because the target before it is slow, unable or unavailable. */
const hasOtherTriggers = (node: IrNode): boolean => {
  const { hedge, require } = node.config.strategy ?? {};
  return (
    hedge !== undefined ||
    require !== undefined ||
    leavesBelow(node).some(({ node: { settings } }) => settings.cb_config !== undefined)
  );
};

/**
 * Whether the circuits below a node also count errors that no list names: 401 and 403, which open a circuit of the credential
 * that other targets and configs share.
 */
export const countsErrors = (node: IrNode): boolean =>
  leavesBelow(node).some(({ node: { settings } }) => settings.breaker?.value.by.includes('error') === true);

/** Checks that lists of statuses name statuses that answers can have, and are not empty if that makes no sense. */
export const statuses: Check = defineCheck({
  name: 'statuses',
  create: ({ reporter, sound }) => {
    const look = (codes: readonly number[] | undefined, pointer: JsonPointer): boolean => {
      for (const { value: status, pointer: at } of sound.items(codes, pointer))
        if (!isPossibleStatus(status))
          reporter.report(
            'impossible-status',
            { pointer: at, part: 'value' },
            {
              status,
              why: 'answers have statuses from 200 to 599',
              suggestion: 'Write a whole number from 200 to 599, or remove it.',
            },
          );
      return codes?.length === 0;
    };
    return {
      node(node) {
        const { pointer, config } = node;
        const { strategy, retry, cb_config: breaker, on_status_codes: beside } = config;
        const inside = childPointer(pointer, 'strategy', 'on_status_codes');
        const outside = childPointer(pointer, 'on_status_codes');
        const insideEmpty = look(strategy?.on_status_codes, inside);
        const outsideEmpty = look(beside, outside);
        if (strategy?.mode === 'fallback') {
          const empty = strategy.on_status_codes === undefined ? outsideEmpty : insideEmpty;
          const place = strategy.on_status_codes === undefined ? outside : inside;
          if (empty && !hasOtherTriggers(node)) reporter.report('empty-trigger', { pointer: place, part: 'key' }, {});
        }
        const retried = childPointer(pointer, 'retry', 'on_status_codes');
        if (look(retry?.on_status_codes, retried) && retry?.attempts !== 0)
          reporter.report('retry-covers-nothing', { pointer: retried, part: 'key' }, {});
        const failures = childPointer(pointer, 'cb_config', 'failure_status_codes');
        if (look(breaker?.failure_status_codes, failures) && !countsErrors(node))
          reporter.report(
            'no-effect',
            { pointer: childPointer(pointer, 'cb_config'), part: 'key' },
            {
              setting: 'cb_config',
              why: 'no status counts as a failure, so the circuit never opens',
              suggestion: 'List statuses, or remove "failure_status_codes"; every status above 500 then counts.',
            },
          );
      },
    };
  },
});
