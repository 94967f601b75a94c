import { childPointer } from '../../../schema/json/pointer.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

interface Limit {
  readonly ms: number;
  readonly what: string;
}

/** Checks that a fallback calls its second target while the first may still answer. */
export const hedges: Check = defineCheck({
  name: 'hedges',
  create: ({ reporter }) => {
    let deadlineMs: number | undefined;
    return {
      node({ config, isCopy }, parent) {
        if (parent === undefined && isCopy !== true) deadlineMs = config.deadline_ms;
      },
      group({ pointer, config: { strategy } }, { mode, targets: [first] }) {
        const afterMs = strategy?.hedge?.after_ms;
        if (mode !== 'fallback' || afterMs === undefined || first === undefined) return;
        const { request_timeout: timeout, retry } = first.settings;
        const isTriedOnce = first.shape.kind === 'leaf' && (retry?.value.attempts ?? 0) === 0;
        const limits: readonly Limit[] = [
          ...(isTriedOnce && timeout !== undefined
            ? [{ ms: timeout.value, what: 'the "request_timeout" of the first target' }]
            : []),
          ...(deadlineMs === undefined ? [] : [{ ms: deadlineMs, what: 'the "deadline_ms" of the request' }]),
        ];
        const [nearest] = limits.filter(({ ms }) => ms <= afterMs).sort((a, b) => a.ms - b.ms);
        if (nearest === undefined) return;
        reporter.report(
          'late-hedge',
          { pointer: childPointer(pointer, 'strategy', 'hedge', 'after_ms'), part: 'value' },
          { afterMs, ...nearest },
        );
      },
    };
  },
});
