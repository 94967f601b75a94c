import type { LeafNode, Stage, StageKind, StageOf } from './plan.ts';

/** A leaf's stage of one kind, if it has one. */
export const findStage = <Kind extends StageKind>({ stages }: LeafNode, kind: Kind): StageOf<Kind> | undefined =>
  stages.find((stage: Stage): stage is StageOf<Kind> => stage.kind === kind);
