import { findStage } from '../../../schema/plan/find-stage.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import type { LinkPorts } from '../call/context.ts';
import { dividedCircuits } from './divided-circuits.ts';
import { type LeafCircuits, oneCircuit } from './leaf-circuits.ts';

/** Links the circuits of a leaf; undefined where it has no breaker. */
export const linkCircuits = (leaf: LeafNode, target: Target, ports: LinkPorts): LeafCircuits | undefined => {
  const stage = findStage(leaf, 'breaker');
  if (stage === undefined) return undefined;
  const { by } = stage;
  return by === undefined ? oneCircuit(leaf, stage) : dividedCircuits({ leaf, target, stage, by }, ports);
};
