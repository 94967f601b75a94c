import type { LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { findStage } from '../../../../schema/plan/stages.ts';
import type { LinkContext } from '../../call/context.ts';
import { dividedCircuits } from './divided-circuits.ts';
import { type LeafCircuits, oneCircuit } from './leaf-circuits.ts';
import { linkProbe } from './leaf-probe.ts';

/** Links the circuits of a leaf. Returns undefined if it has no breaker. */
export const linkCircuits = (leaf: LeafNode, target: Target, context: LinkContext): LeafCircuits | undefined => {
  const stage = findStage(leaf, 'breaker');
  if (stage === undefined) return undefined;
  const { by, probe } = stage;
  const place = { config: context.plan.name, path: leaf.path, target: target.id };
  const circuits =
    by === undefined
      ? oneCircuit(leaf, stage, place)
      : dividedCircuits({ leaf, target, stage, by, place }, context.ports);
  return probe === undefined ? circuits : { ...circuits, probe: linkProbe(leaf, target, probe, context) };
};
