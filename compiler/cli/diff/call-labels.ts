import { listCalledLeaves } from '../../../schema/plan/list-leaves.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import type { Side } from '../../compare/compared-plan.ts';
import { targetOf } from '../../compare/compared-plan.ts';
import { describeProvider, describeTarget } from '../explain/describe-target.ts';

/** Returns the display name of a call by its identity. */
export type CallLabels = (call: string) => string;

/** Whether several targets share the name in the config. The id is then a place, which says less than what the target calls. */
const isPlace = ({ id }: Target): boolean => id.includes('#');

const nameOf = (target: Target): string => (isPlace(target) ? describeProvider(target) : target.id);

/** Returns a name with further parts in brackets. */
const withParts = (target: Target, parts: readonly string[]): string => {
  const all = isPlace(target) ? parts : [describeProvider(target), ...parts];
  return all.length === 0 ? nameOf(target) : `${nameOf(target)} (${all.join(', ')})`;
};

/** Describes the parts of a target in words, including those that are sent with its requests. */
const partsOf = (target: Target): readonly string[] => {
  const { model: _model, ...override } = target.params.override;
  return [
    ...describeTarget(target),
    ...Object.entries(override).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ];
};

/** Returns the name of a target with the parts that distinguish it from others of the same name. */
const ownParts = (target: Target, others: readonly Target[]): string => {
  const shared = others.map((other) => new Set(partsOf(other)));
  return withParts(
    target,
    partsOf(target).filter((line) => !shared.every((lines) => lines.has(line))),
  );
};

/** Returns the shortest name that no other call has. */
const labelOf = (target: Target, all: readonly Target[]): string => {
  const others = all.filter((other) => other !== target);
  if (others.every((other) => nameOf(other) !== nameOf(target))) return nameOf(target);
  const label = withParts(target, []);
  const alike = others.filter((other) => withParts(other, []) === label);
  return alike.length === 0 ? label : ownParts(target, alike);
};

/**
 * Names the calls of two plans after their targets, and adds what distinguishes them if one name stands for several. A call has
 * the same name in both plans: that of the second.
 */
export const callLabels = (before: Side, after: Side): CallLabels => {
  const targets = new Map<string, Target>();
  for (const { plan, root, identify } of [after, before])
    for (const leaf of listCalledLeaves(root)) {
      const { call } = identify(leaf);
      const known = targets.get(call);
      if (known === undefined || isPlace(known)) targets.set(call, targetOf(plan, leaf));
    }
  const all = [...targets.values()];
  const labels = new Map([...targets].map(([call, target]) => [call, labelOf(target, all)]));
  return (call) => labels.get(call) ?? call;
};

/** Names the leaves of one of two plans. */
export type LeafLabel = (leaf: LeafNode) => string;

export const leafLabel =
  (labels: CallLabels, { identify }: Pick<Side, 'identify'>): LeafLabel =>
  (leaf) =>
    labels(identify(leaf).call);
