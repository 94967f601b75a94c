import type { Config } from '../../../schema/generated/config.ts';
import { toOptionPath } from '../../../schema/json/pointer.ts';
import { isSetToDeny } from '../../../schema/plan/may-deny.ts';
import { findProvider } from '../../resolve/providers/source-facts.ts';
import type { IrGroup, IrNode, IrSource } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck, hooksOf } from '../visitor/define-check.ts';

/** Whether the config makes the provider `echo` fail or wait, by its own member or by its model. */
const hasControls = ({ settings: { override_params: params } }: IrNode): boolean => {
  const { echo, model } = params?.value ?? {};
  return echo !== undefined || (typeof model === 'string' && model.includes('?'));
};

/** Returns the provider of a leaf that answers in process and that no check, not even one in the background, is set to deny. */
const findInfallibleLeaf = (node: IrNode, source: IrSource): string | undefined => {
  const provider = findProvider(source);
  if (provider?.inProcess === undefined || hasControls(node)) return undefined;
  return hooksOf(node.settings).some(isSetToDeny) ? undefined : provider.id;
};

/** Whether a fallback can go on after a success. */
const leavesSuccess = ({ strategy, on_status_codes: codes = [] }: Config): boolean =>
  (strategy?.on_status_codes ?? codes).some((status) => status < 300);

/** Returns the providers of the targets that a group may end at, if none of them can fail. Undefined for each other target. */
const listInfallible = ({ mode, targets }: IrGroup): readonly (string | undefined)[] => {
  if (mode === undefined) return [];
  const found = targets.map(findInfallibleProvider);
  if (mode === 'single') return found.slice(0, 1);
  return mode === 'fallback' ? found.filter((provider) => provider !== undefined).slice(0, 1) : found;
};

/** Returns a provider that answers in process and never fails, if every request that reaches a target ends at one. */
const findInfallibleProvider = (node: IrNode): string | undefined => {
  const { shape, config } = node;
  if (shape.kind === 'leaf') return findInfallibleLeaf(node, shape.source);
  // A group that requires capabilities fails if none of its targets has them.
  if (config.strategy?.require !== undefined || leavesSuccess(config)) return undefined;
  const providers = listInfallible(shape);
  return providers.includes(undefined) ? undefined : providers[0];
};

/** Checks that a fallback has no target after one that never fails. */
export const unreachableTargets: Check = defineCheck({
  name: 'unreachable-targets',
  create: ({ reporter }) => {
    // A model without a price fails if there is a limit, and prices are not known here.
    let limitsCost = false;
    return {
      node({ config }, parent) {
        if (parent === undefined) limitsCost = config.max_cost_usd !== undefined;
      },
      group({ config }, { mode, targets }) {
        if (mode !== 'fallback' || limitsCost || leavesSuccess(config)) return;
        const at = targets.findIndex((target) => findInfallibleProvider(target) !== undefined);
        const [last, target] = [targets[at], targets[at + 1]];
        if (last === undefined || target === undefined) return;
        const path = toOptionPath(last.pointer);
        const provider = `the provider "${findInfallibleProvider(last)}"`;
        const before =
          last.shape.kind === 'leaf'
            ? `${provider} of ${path}, the target before it,`
            : `${path}, the target before it, always ends at ${provider}, which`;
        reporter.report(
          'unreachable-target',
          { pointer: target.pointer, part: 'value' },
          {
            why: `${before} fails only when a request asks it to`,
            suggestion: `Move ${path} to the end, or remove it.`,
          },
        );
      },
    };
  },
});
