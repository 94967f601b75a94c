import { toOptionPath } from '../../../schema/json/pointer.ts';
import { findProvider } from '../../resolve/providers/source-facts.ts';
import type { IrHook } from '../../resolve/tree/ir-hook.ts';
import type { IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck, hooksOf } from '../visitor/define-check.ts';

const mayDeny = ({ deny }: IrHook): boolean => deny.onFail || deny.onSuccess;

/** Whether the config makes the provider `echo` fail or wait, by its own member or by its model. */
const hasControls = ({ settings: { override_params: params } }: IrNode): boolean => {
  const { echo, model } = params?.value ?? {};
  return echo !== undefined || (typeof model === 'string' && model.includes('?'));
};

/** Returns the provider of a target that answers in process and that no check can deny. */
const findInfallibleProvider = (node: IrNode): string | undefined => {
  const { shape, settings } = node;
  const provider = shape.kind === 'leaf' ? findProvider(shape.source) : undefined;
  if (provider?.inProcess === undefined || hasControls(node)) return undefined;
  return hooksOf(settings).some(mayDeny) ? undefined : provider.id;
};

/** Checks that a fallback has no target after one that never fails. */
export const unreachableTargets: Check = defineCheck({
  name: 'unreachable-targets',
  create: ({ reporter }) => ({
    group({ config }, { mode, targets }) {
      const codes = config.strategy?.on_status_codes ?? config.on_status_codes ?? [];
      if (mode !== 'fallback' || codes.some((status) => status < 300)) return;
      const at = targets.findIndex((target) => findInfallibleProvider(target) !== undefined);
      const [last, target] = [targets[at], targets[at + 1]];
      if (last === undefined || target === undefined) return;
      const path = toOptionPath(last.pointer);
      reporter.report(
        'unreachable-target',
        { pointer: target.pointer, part: 'value' },
        {
          why: `the provider "${findInfallibleProvider(last)}" of ${path}, the target before it, fails only when a request asks it to`,
          suggestion: `Move ${path} to the end, or remove it.`,
        },
      );
    },
  }),
});
