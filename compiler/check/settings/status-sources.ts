import { checkFailedStatus, deniedStatus, isSuccess } from '../../../schema/http/status.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import { hookMayDeny } from '../../../schema/plan/may-deny.ts';
import type { IrHook } from '../../resolve/tree/ir-hook.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { leavesBelow } from '../../resolve/tree/leaves-below.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

const flags = (hook: IrHook): boolean => !hook.async && !hookMayDeny(hook);

type Phase = 'inputHooks' | 'outputHooks';

const hooksBelow = (node: IrNode, phases: readonly Phase[]): readonly IrHook[] =>
  leavesBelow(node).flatMap(({ node: { settings } }) => phases.flatMap((phase) => settings[phase]?.value ?? []));

/** Returns why these hooks never produce one of the gateway's own statuses. What a saved guardrail does may change. */
const whyNever = (status: number, hooks: readonly IrHook[], what: string): string | undefined => {
  if (hooks.some(({ savedAs }) => savedAs !== undefined)) return undefined;
  if (status === deniedStatus && !hooks.some(hookMayDeny))
    return `${deniedStatus} is a denied request, but no ${what} here denies`;
  if (status === checkFailedStatus && !hooks.some(flags))
    return `${checkFailedStatus} is a failed check that does not deny, and there is no such ${what} here`;
  return undefined;
};

/** Checks that lists of statuses name statuses that can occur and that are failures. */
export const statusSources: Check = defineCheck({
  name: 'status-sources',
  create: ({ reporter, sound }) => {
    const look = (
      codes: readonly number[] | undefined,
      pointer: JsonPointer,
      { consequence, why }: { readonly consequence: string; readonly why?: (status: number) => string | undefined },
    ): void => {
      for (const { value: status, pointer: at } of sound.items(codes, pointer)) {
        const place = { pointer: at, part: 'value' } as const;
        const never = why?.(status);
        if (never !== undefined)
          reporter.report('impossible-status', place, { status, why: never, suggestion: 'Remove it.' });
        else if (isSuccess(status) && status !== checkFailedStatus)
          reporter.report('success-status', place, { status, consequence });
      }
    };
    return {
      node(node) {
        const { pointer, config } = node;
        look(config.retry?.on_status_codes, childPointer(pointer, 'retry', 'on_status_codes'), {
          consequence: 'repeat requests that succeeded',
          // A denied request is denied again without a call; only checks of answers are repeated.
          why: (status) => whyNever(status, hooksBelow(node, ['outputHooks']), 'output check'),
        });
        look(config.cb_config?.failure_status_codes, childPointer(pointer, 'cb_config', 'failure_status_codes'), {
          consequence: 'count successes as failures',
          why: (status) =>
            status === deniedStatus || status === checkFailedStatus
              ? 'it comes from a check, but circuits count the answers of providers'
              : undefined,
        });
        if (config.strategy?.mode !== 'fallback') return;
        const of = { consequence: 'make the fallback continue after a success' };
        const why = (status: number): string | undefined =>
          whyNever(status, hooksBelow(node, ['inputHooks', 'outputHooks']), 'check');
        look(config.strategy.on_status_codes, childPointer(pointer, 'strategy', 'on_status_codes'), { ...of, why });
        look(config.on_status_codes, childPointer(pointer, 'on_status_codes'), { ...of, why });
      },
    };
  },
});
