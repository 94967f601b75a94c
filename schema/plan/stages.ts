import type { CheckCall, LeafNode, Stage, StageKind, StageOf } from './plan.ts';

/** Returns a leaf's stage of a kind, if it has one. */
export const findStage = <Kind extends StageKind>({ stages }: LeafNode, kind: Kind): StageOf<Kind> | undefined =>
  stages.find((stage: Stage): stage is StageOf<Kind> => stage.kind === kind);

/** Lists the checks of a stage; none if it is of another kind. */
export const listChecks = (stage: Stage): readonly CheckCall[] =>
  stage.kind === 'input-checks' || stage.kind === 'output-checks' ? stage.hooks.flatMap(({ checks }) => checks) : [];
