import type { LeafNode, Stage, StageKind } from './plan.ts';

/** A leaf's stage of one kind, where it has one. */
export const stageOf = <Kind extends StageKind>(
  { stages }: LeafNode,
  kind: Kind,
): Extract<Stage, { kind: Kind }> | undefined =>
  stages.find((stage): stage is Extract<Stage, { kind: Kind }> => stage.kind === kind);
