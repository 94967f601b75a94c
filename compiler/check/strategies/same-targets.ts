import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Json } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { findProvider } from '../../resolve/providers/source-facts.ts';
import type { IrGroup, IrNode } from '../../resolve/tree/ir-node.ts';
import { type Check, defineCheck } from '../visitor/define-check.ts';

/** Describes everything about a target except the name and the weight that it has in its group. */
const toContent = ({ config: { name, weight, ...content } }: IrNode): string => canonicalJson(content as Json);

/** Whether a target's provider answers in process, which makes it a placeholder for one that is not written yet. */
const isStandIn = ({ shape }: IrNode): boolean =>
  shape.kind === 'leaf' && findProvider(shape.source)?.inProcess !== undefined;

const consequences = {
  fallback: {
    consequence: 'a request that failed goes to the same place again',
    suggestion: 'Write "retry" for further attempts, or name another provider, model or credential here.',
  },
  loadbalance: {
    consequence: 'it makes no difference which of them is chosen',
    suggestion: 'Keep one, with the sum of their weights, or name another model, credential or host here.',
  },
} as const;

interface Repeatable {
  readonly mode: keyof typeof consequences;
  readonly targets: readonly IrNode[];
  /** Whether the second target is also called while the first is slow. */
  readonly isHedged: boolean;
}

const reportRepeated = ({ mode, targets, isHedged }: Repeatable, { reporter }: CompileContext): void => {
  const known = new Map<string, { readonly first: number; count: number }>();
  for (const [index, target] of targets.entries()) {
    const content = toContent(target);
    const own = known.get(content) ?? { first: index, count: 0 };
    known.set(content, own);
    // Another call of the same target may be faster than a slow one.
    if (isHedged && index === 1 && own.count === 1) continue;
    own.count += 1;
    // The second equal target is reported, on behalf of those after it.
    if (own.count !== 2 || isStandIn(target)) continue;
    const place = { pointer: target.pointer, part: 'value' } as const;
    reporter.report('equal-targets', place, { first: own.first + 1, ...consequences[mode] });
  }
};

/** The targets that conditions and the default name; undefined if that is ambiguous. */
const findNamed = ({ targets, conditions, default: otherwise }: IrGroup): readonly IrNode[] | undefined => {
  const byName = Map.groupBy(targets, ({ config }) => config.name);
  const named = [...conditions.map(({ then }) => then), otherwise].map((stated) => {
    const [target, ...more] = byName.get(stated?.value) ?? [];
    return stated === undefined || more.length > 0 ? undefined : target;
  });
  const known = named.filter((target) => target !== undefined);
  return known.length === named.length ? known : undefined;
};

const reportOneWay = ({ pointer }: IrNode, group: IrGroup, { reporter }: CompileContext): void => {
  const named = findNamed(group);
  if (named === undefined || named.some(isStandIn) || group.conditions.length === 0) return;
  if (new Set(named.map(toContent)).size > 1) return;
  const place = { pointer: childPointer(pointer, 'strategy', 'conditions'), part: 'key' } as const;
  const what = new Set(named).size > 1 ? 'targets that are equal' : 'the same target';
  reporter.report('one-way', place, { what });
};

/** Checks that the targets of a strategy differ. */
export const sameTargets: Check = defineCheck({
  name: 'same-targets',
  create: (context) => ({
    group(node, group) {
      const { mode, targets } = group;
      // If a target is invalid, it is unknown what it would be.
      if (context.sound.isUnusable(childPointer(node.pointer, 'targets'))) return;
      const isHedged = mode === 'fallback' && node.config.strategy?.hedge !== undefined;
      if (mode === 'fallback' || mode === 'loadbalance') reportRepeated({ mode, targets, isHedged }, context);
      if (mode === 'conditional') reportOneWay(node, group, context);
    },
  }),
});
